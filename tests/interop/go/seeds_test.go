// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// The whole program about streams in the documents that Jetglass started from, in its own order, and asyncPublish and
// monitorStream from the same document. They return what the originals print.

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

type orderEvent struct {
	OrderID   string    `json:"order_id"`
	Event     string    `json:"event"`
	Amount    float64   `json:"amount"`
	CreatedAt time.Time `json:"created_at"`
}

func orderStream() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        "ORDERS",
		Description: "订单事件流",
		Subjects:    []string{"orders.>"},
		Retention:   jetstream.LimitsPolicy,
		MaxAge:      7 * 24 * time.Hour,
		MaxMsgs:     10_000_000,
		MaxBytes:    10 * 1024 * 1024 * 1024,
		MaxMsgSize:  1024 * 1024,
		Storage:     jetstream.FileStorage,
		Replicas:    1,
		Duplicates:  5 * time.Minute,
		AllowDirect: true,
		Compression: jetstream.S2Compression,
	}
}

func publishMessages(ctx context.Context, js jetstream.JetStream) ([]string, error) {
	events := []struct {
		subject string
		event   orderEvent
	}{
		{"orders.created", orderEvent{"ORD-001", "created", 299.99, time.Now()}},
		{"orders.updated", orderEvent{"ORD-001", "updated", 349.99, time.Now()}},
		{"orders.created", orderEvent{"ORD-002", "created", 199.50, time.Now()}},
		{"orders.created", orderEvent{"ORD-001", "created", 299.99, time.Now()}}, // the same once more
	}
	var printed []string
	for _, e := range events {
		payload, err := json.Marshal(e.event)
		if err != nil {
			return nil, err
		}
		msgID := fmt.Sprintf("%s-%s", e.event.OrderID, e.event.Event)
		ack, err := js.Publish(ctx, e.subject, payload, jetstream.WithMsgID(msgID))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.subject, err)
		}
		printed = append(printed, fmt.Sprintf("subject=%s, seq=%d, duplicate=%v", e.subject, ack.Sequence, ack.Duplicate))
	}
	return printed, nil
}

func TestSeedStreamProgram(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	stream := made[jetstream.Stream](t)(js.CreateOrUpdateStream(ctx, orderStream()))
	info := made[*jetstream.StreamInfo](t)(stream.Info(ctx))
	equal(t, "messages", info.State.Msgs, 0)
	equal(t, "description", info.Config.Description, "订单事件流")

	printed := made[[]string](t)(publishMessages(ctx, js))
	equal(t, "published", strings.Join(printed, "\n"), strings.Join([]string{
		"subject=orders.created, seq=1, duplicate=false",
		"subject=orders.updated, seq=2, duplicate=false",
		"subject=orders.created, seq=3, duplicate=false",
		"subject=orders.created, seq=1, duplicate=true",
	}, "\n"))

	info = made[*jetstream.StreamInfo](t)(stream.Info(ctx))
	equal(t, "state", fmt.Sprint(info.State.Msgs, info.State.FirstSeq, info.State.LastSeq, info.State.Consumers,
		info.State.NumSubjects), "3 1 3 0 2")
	if info.State.Bytes == 0 || info.Cluster == nil || info.Cluster.Leader == "" {
		t.Fatalf("bytes %d, cluster %v: the program prints both", info.State.Bytes, info.Cluster)
	}

	last := made[*jetstream.RawStreamMsg](t)(stream.GetLastMsgForSubject(ctx, "orders.created"))
	equal(t, "last", last.Sequence, 3)
	var event orderEvent
	must(t, json.Unmarshal(last.Data, &event))
	equal(t, "last order", event.OrderID, "ORD-002")
	first := made[*jetstream.RawStreamMsg](t)(stream.GetMsg(ctx, 1))
	equal(t, "first subject", first.Subject, "orders.created")
	if first.Time.After(time.Now().Add(time.Minute)) || time.Since(first.Time) > time.Hour {
		t.Fatalf("time of the first message: %v", first.Time)
	}

	// Run again, the program updates the stream that is there, and everything is a duplicate.
	made[jetstream.Stream](t)(js.CreateOrUpdateStream(ctx, orderStream()))
	for _, line := range made[[]string](t)(publishMessages(ctx, js)) {
		if !strings.HasSuffix(line, "duplicate=true") {
			t.Fatal(line)
		}
	}
}

// asyncPublish is the document's: one goroutine a message, each with its own id, each waiting for its own ack.
func asyncPublish(ctx context.Context, js jetstream.JetStream, count int) (map[uint64]bool, error) {
	type result struct {
		seq uint64
		err error
	}
	results := make(chan result, count)
	for i := 0; i < count; i++ {
		go func(i int) {
			payload, _ := json.Marshal(map[string]interface{}{"index": i, "timestamp": time.Now().UnixNano()})
			ack, err := js.PublishAsync("orders.created", payload, jetstream.WithMsgID(fmt.Sprintf("msg-%d", i)))
			if err != nil {
				results <- result{err: err}
				return
			}
			select {
			case pubAck := <-ack.Ok():
				results <- result{seq: pubAck.Sequence}
			case err := <-ack.Err():
				results <- result{err: err}
			case <-ctx.Done():
				results <- result{err: ctx.Err()}
			}
		}(i)
	}
	stored := map[uint64]bool{}
	for i := 0; i < count; i++ {
		r := <-results
		if r.err != nil {
			return stored, r.err
		}
		stored[r.seq] = true
	}
	return stored, nil
}

func TestSeedAsyncPublish(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	made[jetstream.Stream](t)(js.CreateStream(ctx, orderStream()))
	const count = 2000 // more than the client lets stand out at once by itself would stall
	stored := made[map[uint64]bool](t)(asyncPublish(ctx, js, count))
	equal(t, "sequences", len(stored), count)
	again := made[map[uint64]bool](t)(asyncPublish(ctx, js, count))
	for seq := range again {
		if !stored[seq] {
			t.Fatalf("a retry was stored again as %d", seq)
		}
	}
	stream := made[jetstream.Stream](t)(js.Stream(ctx, "ORDERS"))
	equal(t, "messages", stream.CachedInfo().State.Msgs, count)
}

// monitorStream is the document's, with the interval as an argument and a channel to print to.
func monitorStream(ctx context.Context, js jetstream.JetStream, name string, every time.Duration, out chan<- string) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	defer close(out)
	var lastMsgs uint64
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			stream, err := js.Stream(ctx, name)
			if err != nil {
				continue
			}
			info, err := stream.Info(ctx)
			if err != nil {
				continue
			}
			grown := info.State.Msgs - lastMsgs
			lastMsgs = info.State.Msgs
			line := fmt.Sprintf("[%s] msgs=%d bytes=%s grown=%d consumers=%d", name, info.State.Msgs,
				formatBytes(info.State.Bytes), grown, info.State.Consumers)
			select {
			case out <- line:
			case <-ctx.Done():
			}
		}
	}
}

func formatBytes(b uint64) string {
	const unit = 1024
	if b < unit {
		return fmt.Sprintf("%d B", b)
	}
	div, exp := uint64(unit), 0
	for n := b / unit; n >= unit; n /= unit {
		div *= unit
		exp++
	}
	return fmt.Sprintf("%.1f %cB", float64(b)/float64(div), "KMGTPE"[exp])
}

func TestSeedMonitorStream(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	watching, stop := context.WithCancel(ctx)
	lines := make(chan string)
	go monitorStream(watching, js, "ORDERS", 20*time.Millisecond, lines) // it waits for a stream that is not there yet
	stream := made[jetstream.Stream](t)(js.CreateStream(ctx, orderStream()))
	equal(t, "empty", receive(t, lines), "[ORDERS] msgs=0 bytes=0 B grown=0 consumers=0")
	made[map[uint64]bool](t)(asyncPublish(ctx, js, 100))
	made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "audit-log"}))
	full := regexp.MustCompile(`^\[ORDERS\] msgs=100 bytes=\d+\.\d KB grown=\d+ consumers=1$`)
	for line := ""; !full.MatchString(line); {
		line = receive(t, lines)
	}
	stop()
	for range lines { // it ends when it is told to
	}
}
