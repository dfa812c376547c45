// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// The configurations and operations that the documents show in pieces.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestSeedConfigurations(t *testing.T) {
	const gib = 1024 * 1024 * 1024
	// More than a small disk has: the documents plan for a terabyte.
	conf := filepath.Join(t.TempDir(), "large.conf")
	must(t, os.WriteFile(conf, []byte("jetstream { max_file_store: 4TB }\n"), 0o600))
	ctx, js := startBroker(t, "-c", conf).jetstream()
	for _, config := range []jetstream.StreamConfig{
		{Name: "AUDIT-LOG", Subjects: []string{"log.>"}, MaxAge: 30 * 24 * time.Hour, MaxMsgs: -1, MaxBytes: 50 * gib},
		{Name: "AUDIT-EVENTS", Description: "系统审计事件日志，保留 30 天", Subjects: []string{"audit.>"},
			MaxAge: 30 * 24 * time.Hour, MaxBytes: 100 * gib, MaxMsgSize: 64 * 1024,
			Compression: jetstream.S2Compression, DenyDelete: true, DenyPurge: true, Duplicates: 10 * time.Minute},
		{Name: "BACKGROUND-TASKS", Description: "后台任务队列",
			Subjects: []string{"tasks.email", "tasks.sms", "tasks.push"}, Retention: jetstream.WorkQueuePolicy,
			MaxAge: 24 * time.Hour, MaxMsgs: 1_000_000, MaxMsgSize: 1024 * 1024, Discard: jetstream.DiscardNew},
		{Name: "DEVICE-STATUS", Description: "IoT 设备状态，每个设备保留最新一条", Subjects: []string{"device.*.status"},
			MaxMsgsPerSubject: 1, MaxAge: 7 * 24 * time.Hour, AllowDirect: true, Duplicates: 30 * time.Second},
		{Name: "TELEMETRY-REALTIME", Description: "实时遥测数据，内存存储，保留 5 分钟", Subjects: []string{"telemetry.>"},
			MaxAge: 5 * time.Minute, MaxBytes: 512 * 1024 * 1024, Storage: jetstream.MemoryStorage, NoAck: false},
		{Name: "COMPLIANCE-LOG", Description: "合规日志，防删除防清空，保留 7 年", Subjects: []string{"compliance.>"},
			MaxAge: 7 * 365 * 24 * time.Hour, MaxBytes: 1024 * gib, DenyDelete: true, DenyPurge: true,
			Compression: jetstream.S2Compression, Duplicates: time.Hour},
		{Name: "NOTIFICATIONS", Subjects: []string{"notify.>"}, Retention: jetstream.InterestPolicy},
	} {
		t.Run(config.Name, func(t *testing.T) {
			clustered := config
			clustered.Replicas = 3 // as some of them are written; one server says what it lacks
			_, err := js.CreateStream(ctx, clustered)
			refused(t, err, 10074)
			stream := made[jetstream.Stream](t)(js.CreateStream(ctx, config))
			got := stream.CachedInfo().Config
			equal(t, "config", summary(got), summary(config))
			made[jetstream.Stream](t)(js.CreateOrUpdateStream(ctx, got))
		})
	}
	names := []string{}
	listed := js.StreamNames(ctx)
	for name := range listed.Name() {
		names = append(names, name)
	}
	must(t, listed.Err())
	equal(t, "streams", len(names), 7)
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "OTHER", Subjects: []string{"tasks.>"}})
	refused(t, err, 10065) // subjects overlap with an existing stream
}

func summary(c jetstream.StreamConfig) string {
	return fmt.Sprint(c.Name, c.Description, c.Subjects, c.Retention, c.MaxAge, max(c.MaxMsgs, 0), max(c.MaxBytes, 0),
		c.MaxMsgsPerSubject > 0, c.Storage, c.DenyDelete, c.DenyPurge, c.Discard, c.Compression, c.AllowDirect, c.NoAck)
}

func TestSeedUpdatePurgeAndDelete(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	stream := made[jetstream.Stream](t)(js.CreateStream(ctx, orderStream()))
	longer := orderStream()
	longer.MaxAge = 30 * 24 * time.Hour
	stream = made[jetstream.Stream](t)(js.UpdateStream(ctx, longer))
	equal(t, "max age", stream.CachedInfo().Config.MaxAge, longer.MaxAge)
	moved := longer
	moved.Storage = jetstream.MemoryStorage
	if _, err := js.UpdateStream(ctx, moved); err == nil {
		t.Fatal("the storage of a stream cannot change")
	}
	for i := 1; i <= 1200; i++ {
		subject := "orders.created"
		if i%10 == 0 {
			subject = "orders.cancelled"
		}
		made[jetstream.PubAckFuture](t)(js.PublishAsync(subject, []byte(fmt.Sprint(i))))
	}
	receive(t, closedAsValue(js.PublishAsyncComplete()))
	left := func() string {
		info := made[*jetstream.StreamInfo](t)(stream.Info(ctx))
		return fmt.Sprint(info.State.Msgs, info.State.FirstSeq, info.State.LastSeq)
	}
	must(t, stream.Purge(ctx, jetstream.WithPurgeSubject("orders.cancelled")))
	equal(t, "purged by subject", left(), "1080 1 1200")
	must(t, stream.Purge(ctx, jetstream.WithPurgeSequence(1000)))
	equal(t, "purged by sequence", left(), "180 1001 1200") // 1000 itself had been cancelled
	must(t, stream.Purge(ctx, jetstream.WithPurgeKeep(100)))
	equal(t, "the newest kept", left(), "100 1089 1200")
	must(t, stream.Purge(ctx))
	equal(t, "purged", left(), "0 1201 1200")
	must(t, js.DeleteStream(ctx, "ORDERS"))
	_, err := js.Stream(ctx, "ORDERS")
	refused(t, err, jetstream.JSErrCodeStreamNotFound)
}

func closedAsValue(done <-chan struct{}) <-chan bool {
	out := make(chan bool, 1)
	go func() {
		<-done
		out <- true
	}()
	return out
}

func TestSeedMirrorAndSources(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	regions := []string{"US", "EU", "APAC"}
	global := jetstream.StreamConfig{Name: "ORDERS-GLOBAL"}
	for _, region := range regions {
		prefix := "orders." + strings.ToLower(region)
		made[jetstream.Stream](t)(js.CreateStream(ctx, jetstream.StreamConfig{Name: "ORDERS-" + region,
			Subjects: []string{prefix + ".>"}}))
		global.Sources = append(global.Sources, &jetstream.StreamSource{Name: "ORDERS-" + region,
			FilterSubject: prefix + ".created"})
	}
	// What is older than the start time of a mirror stays behind.
	made[*jetstream.PubAck](t)(js.Publish(ctx, "orders.us.created", []byte("old")))
	us := made[jetstream.Stream](t)(js.Stream(ctx, "ORDERS-US"))
	old := made[*jetstream.RawStreamMsg](t)(us.GetMsg(ctx, 1))
	start := old.Time.Add(time.Nanosecond)
	made[jetstream.Stream](t)(js.CreateStream(ctx, jetstream.StreamConfig{Name: "ORDERS-BACKUP",
		Mirror: &jetstream.StreamSource{Name: "ORDERS-US", OptStartTime: &start, FilterSubject: "orders.us.created"}}))
	made[jetstream.Stream](t)(js.CreateStream(ctx, global))
	for i := 0; i < 3; i++ {
		for _, region := range regions {
			prefix := "orders." + strings.ToLower(region)
			made[*jetstream.PubAck](t)(js.Publish(ctx, prefix+".created", []byte(fmt.Sprint(region, i))))
			made[*jetstream.PubAck](t)(js.Publish(ctx, prefix+".updated", []byte("not wanted")))
		}
	}
	equal(t, "mirrored", strings.Join(bodies(t, ctx, js, "ORDERS-BACKUP", 3), " "), "US0 US1 US2")
	gathered := bodies(t, ctx, js, "ORDERS-GLOBAL", 10)
	sort.Strings(gathered)
	equal(t, "gathered", strings.Join(gathered, " "), "APAC0 APAC1 APAC2 EU0 EU1 EU2 US0 US1 US2 old")
	if _, err := js.Publish(ctx, "ORDERS-BACKUP", nil); err == nil {
		t.Fatal("a mirror takes no messages of its own")
	}
}

func bodies(t *testing.T, ctx context.Context, js jetstream.JetStream, stream string, count int) []string {
	t.Helper()
	consumer := made[jetstream.Consumer](t)(js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{}))
	var out []string
	for len(out) < count {
		message := made[jetstream.Msg](t)(consumer.Next(jetstream.FetchMaxWait(patience)))
		out = append(out, string(message.Data()))
	}
	return out
}
