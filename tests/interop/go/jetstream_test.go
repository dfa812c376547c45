// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// Publishing to streams and all kinds of consumers.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func filled(t *testing.T, count int) (context.Context, jetstream.JetStream, jetstream.Stream) {
	t.Helper()
	ctx, js := startBroker(t).jetstream()
	stream := made[jetstream.Stream](t)(js.CreateStream(ctx, jetstream.StreamConfig{Name: "S",
		Subjects: []string{"s.>"}, AllowMsgTTL: true, SubjectDeleteMarkerTTL: time.Second}))
	for i := 1; i <= count; i++ {
		made[*jetstream.PubAck](t)(js.Publish(ctx, fmt.Sprintf("s.%d", i%2), []byte(fmt.Sprint(i))))
	}
	return ctx, js, stream
}

func next(t *testing.T, consumer jetstream.Consumer) jetstream.Msg {
	t.Helper()
	return made[jetstream.Msg](t)(consumer.Next(jetstream.FetchMaxWait(patience)))
}

func TestPublishOptions(t *testing.T) {
	ctx, js, _ := filled(t, 1)
	for option, code := range map[jetstream.ErrorCode]jetstream.PublishOpt{
		10060: jetstream.WithExpectStream("T"),
		10071: jetstream.WithExpectLastSequence(9),
		10070: jetstream.WithExpectLastMsgID("x"),
	} {
		_, err := js.Publish(ctx, "s.1", nil, code)
		refused(t, err, option)
	}
	_, err := js.Publish(ctx, "s.1", nil, jetstream.WithExpectLastSequencePerSubject(9))
	refused(t, err, 10071)
	ack := made[*jetstream.PubAck](t)(js.Publish(ctx, "s.1", nil, jetstream.WithExpectStream("S"),
		jetstream.WithExpectLastSequence(1), jetstream.WithExpectLastSequencePerSubject(1)))
	equal(t, "stored", ack.Sequence, 2)
	_, err = js.Publish(ctx, "nowhere", nil, jetstream.WithRetryAttempts(0))
	equal(t, "nowhere", errors.Is(err, jetstream.ErrNoStreamResponse), true)
}

func TestMessageTimeToLive(t *testing.T) {
	ctx, js, stream := filled(t, 0)
	consumer := made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{}))
	made[*jetstream.PubAck](t)(js.Publish(ctx, "s.short", []byte("x"), jetstream.WithMsgTTL(time.Second)))
	equal(t, "message", string(next(t, consumer).Data()), "x")
	equal(t, "marker", next(t, consumer).Headers().Get(jetstream.MarkerReasonHeader), "MaxAge")
	_, err := stream.GetMsg(ctx, 1)
	equal(t, "gone", errors.Is(err, jetstream.ErrMsgNotFound), true)
}

func TestEveryAcknowledgement(t *testing.T) {
	ctx, js, stream := filled(t, 0)
	kinds := []string{"ack", "double", "nak", "delay", "progress", "term", "reason"}
	for _, kind := range kinds {
		made[*jetstream.PubAck](t)(js.Publish(ctx, "s.a", []byte(kind)))
	}
	terminated := made[*nats.Subscription](t)(js.Conn().SubscribeSync("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S.c"))
	consumer := made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "c"}))
	for _, kind := range kinds {
		m := next(t, consumer)
		equal(t, "order", string(m.Data()), kind)
		switch kind {
		case "ack":
			must(t, m.Ack())
		case "double":
			must(t, m.DoubleAck(ctx))
		case "nak":
			must(t, m.NakWithDelay(50*time.Millisecond))
		case "delay":
			must(t, m.NakWithDelay(300*time.Millisecond))
		case "progress":
			must(t, m.InProgress())
			must(t, m.DoubleAck(ctx))
		case "term":
			must(t, m.Term())
		case "reason":
			must(t, m.TermWithReason("bad order"))
		}
	}
	for _, kind := range []string{"nak", "delay"} {
		m := next(t, consumer)
		meta := made[*jetstream.MsgMetadata](t)(m.Metadata())
		equal(t, "again", fmt.Sprint(string(m.Data()), meta.NumDelivered), kind+"2")
		must(t, m.DoubleAck(ctx))
	}
	made[*nats.Msg](t)(terminated.NextMsg(patience))
	if told := made[*nats.Msg](t)(terminated.NextMsg(patience)); !strings.Contains(string(told.Data), "bad order") {
		t.Fatalf("no reason in %s", told.Data)
	}
	info := made[*jetstream.ConsumerInfo](t)(consumer.Info(ctx))
	equal(t, "all done", fmt.Sprint(info.AckFloor.Stream, info.NumAckPending, info.NumPending), "7 0 0")
}

func TestFetchConsumeAndMessages(t *testing.T) {
	ctx, _, stream := filled(t, 250)
	consumer := made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "c"}))
	seen := 0
	check := func(m jetstream.Msg) {
		seen++
		equal(t, "order", string(m.Data()), fmt.Sprint(seen))
		must(t, m.Ack())
	}
	batch := made[jetstream.MessageBatch](t)(consumer.Fetch(20, jetstream.FetchMaxWait(patience)))
	for m := range batch.Messages() {
		check(m)
	}
	must(t, batch.Error())
	equal(t, "fetched", seen, 20)
	batch = made[jetstream.MessageBatch](t)(consumer.FetchNoWait(30))
	for m := range batch.Messages() {
		check(m)
	}
	equal(t, "fetched without waiting", seen, 50)
	batch = made[jetstream.MessageBatch](t)(consumer.FetchBytes(600, jetstream.FetchMaxWait(time.Second)))
	for m := range batch.Messages() {
		check(m)
	}
	if seen <= 50 || seen > 75 {
		t.Fatalf("%d messages in 600 bytes", seen-50)
	}
	all := make(chan bool, 1)
	running := made[jetstream.ConsumeContext](t)(consumer.Consume(func(m jetstream.Msg) {
		if check(m); seen == 200 {
			all <- true
		}
	}, jetstream.PullMaxMessages(10), jetstream.StopAfter(200-seen)))
	receive(t, all)
	<-running.Closed()
	iterator := made[jetstream.MessagesContext](t)(consumer.Messages(jetstream.PullMaxMessages(7),
		jetstream.PullHeartbeat(time.Second)))
	for seen < 250 {
		check(made[jetstream.Msg](t)(iterator.Next()))
	}
	iterator.Stop()
	_, err := consumer.Next(jetstream.FetchMaxWait(100 * time.Millisecond))
	equal(t, "nothing left", errors.Is(err, nats.ErrTimeout), true)
}

func TestPushConsumerWithQueueGroup(t *testing.T) {
	ctx, js, stream := filled(t, 100)
	made[jetstream.PushConsumer](t)(stream.CreatePushConsumer(ctx, jetstream.ConsumerConfig{Durable: "p",
		DeliverSubject: nats.NewInbox(), DeliverGroup: "group", AckPolicy: jetstream.AckExplicitPolicy}))
	got := make(chan string, 100)
	for i := 0; i < 2; i++ {
		consumer := made[jetstream.PushConsumer](t)(js.PushConsumer(ctx, "S", "p"))
		running := made[jetstream.ConsumeContext](t)(consumer.Consume(func(m jetstream.Msg) {
			if err := m.DoubleAck(ctx); err == nil {
				got <- string(m.Data())
			}
		}))
		defer running.Stop()
	}
	seen := map[string]bool{}
	for len(seen) < 100 {
		seen[receive(t, got)] = true
	}
	again := made[jetstream.PushConsumer](t)(js.PushConsumer(ctx, "S", "p"))
	equal(t, "acknowledged", again.CachedInfo().AckFloor.Stream, 100)
}

func TestOrderedConsumerSurvivesARestart(t *testing.T) {
	b := startBroker(t)
	ctx, js := b.jetstream()
	made[jetstream.Stream](t)(js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}}))
	ordered := made[jetstream.Consumer](t)(js.OrderedConsumer(ctx, "S", jetstream.OrderedConsumerConfig{}))
	iterator := made[jetstream.MessagesContext](t)(ordered.Messages(jetstream.PullHeartbeat(500 * time.Millisecond)))
	defer iterator.Stop()
	for i := 1; i <= 6; i++ {
		if i == 4 {
			b.restart()
		}
		_, other := b.jetstream()
		made[*jetstream.PubAck](t)(other.Publish(ctx, "s", []byte(fmt.Sprint(i))))
		var m jetstream.Msg
		for m == nil {
			var err error
			if m, err = iterator.Next(); err != nil && ctx.Err() != nil {
				t.Fatal(err)
			}
		}
		equal(t, "in order", string(m.Data()), fmt.Sprint(i))
	}
}

func TestStartsFiltersAndPolicies(t *testing.T) {
	ctx, _, stream := filled(t, 6)
	third := made[*jetstream.RawStreamMsg](t)(stream.GetMsg(ctx, 3)).Time
	for name, c := range map[string]struct {
		config jetstream.ConsumerConfig
		want   string
	}{
		"all":      {jetstream.ConsumerConfig{}, "1 2 3 4 5 6"},
		"last":     {jetstream.ConsumerConfig{DeliverPolicy: jetstream.DeliverLastPolicy}, "6"},
		"each":     {jetstream.ConsumerConfig{DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy, FilterSubject: "s.>"}, "5 6"},
		"sequence": {jetstream.ConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: 4}, "4 5 6"},
		"time":     {jetstream.ConsumerConfig{DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &third}, "3 4 5 6"},
		"filter":   {jetstream.ConsumerConfig{FilterSubject: "s.1"}, "1 3 5"},
		"filters":  {jetstream.ConsumerConfig{FilterSubjects: []string{"s.0", "s.7"}}, "2 4 6"},
		"new":      {jetstream.ConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			consumer := made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, c.config))
			batch := made[jetstream.MessageBatch](t)(consumer.FetchNoWait(10))
			var got []string
			for m := range batch.Messages() {
				got = append(got, string(m.Data()))
			}
			equal(t, "delivered", strings.Join(got, " "), c.want)
		})
	}
}

func TestPauseAndPriorityGroups(t *testing.T) {
	ctx, _, stream := filled(t, 4)
	made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "c"}))
	paused := made[*jetstream.ConsumerPauseResponse](t)(stream.PauseConsumer(ctx, "c", time.Now().Add(time.Hour)))
	equal(t, "paused", paused.Paused, true)
	resumed := made[*jetstream.ConsumerPauseResponse](t)(stream.ResumeConsumer(ctx, "c"))
	equal(t, "resumed", resumed.Paused, false)
	overflow := made[jetstream.Consumer](t)(stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "o",
		PriorityPolicy: jetstream.PriorityPolicyOverflow, PriorityGroups: []string{"A"}}))
	// With fewer than the wanted number pending, this one gets nothing.
	batch := made[jetstream.MessageBatch](t)(overflow.Fetch(4, jetstream.FetchMaxWait(200*time.Millisecond),
		jetstream.FetchPriorityGroup("A"), jetstream.FetchMinPending(100)))
	for m := range batch.Messages() {
		t.Fatalf("%s was delivered", m.Data())
	}
	batch = made[jetstream.MessageBatch](t)(overflow.Fetch(3, jetstream.FetchMaxWait(patience),
		jetstream.FetchPriorityGroup("A"), jetstream.FetchMinPending(2)))
	count := 0
	for range batch.Messages() {
		count++
	}
	equal(t, "delivered", count, 3)
}
