// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// The programs of the introduction among the documents: they use the client's older interface, as much code still does.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func classic(t *testing.T) (*broker, *nats.Conn, nats.JetStreamContext) {
	t.Helper()
	b := startBroker(t)
	nc := b.connect()
	js := made[nats.JetStreamContext](t)(nc.JetStream(nats.MaxWait(patience)))
	return b, nc, js
}

func addOrders(t *testing.T, js nats.JetStreamContext) {
	t.Helper()
	info := made[*nats.StreamInfo](t)(js.AddStream(&nats.StreamConfig{
		Name:       "ORDERS",
		Subjects:   []string{"orders.*"},
		Storage:    nats.FileStorage,
		Replicas:   1,
		Retention:  nats.LimitsPolicy,
		MaxMsgs:    1000000,
		MaxBytes:   1024 * 1024 * 1024,
		MaxAge:     24 * time.Hour,
		MaxMsgSize: 1024 * 1024,
		Discard:    nats.DiscardOld,
	}))
	equal(t, "created", info.Config.Name, "ORDERS")
}

func TestSeedClassicPublish(t *testing.T) {
	_, _, js := classic(t)
	addOrders(t, js)
	ack := made[*nats.PubAck](t)(js.Publish("orders.new", []byte(`{"id": 1, "item": "book"}`)))
	equal(t, "ack", fmt.Sprint(ack.Stream, ack.Sequence), "ORDERS1")
	future := made[nats.PubAckFuture](t)(js.PublishAsync("orders.new", []byte(`{"id": 2, "item": "phone"}`)))
	select {
	case ack = <-future.Ok():
		equal(t, "async ack", ack.Sequence, 2)
	case err := <-future.Err():
		t.Fatal(err)
	case <-time.After(patience):
		t.Fatal("no ack")
	}
	for _, duplicate := range []bool{false, true} {
		ack = made[*nats.PubAck](t)(js.Publish("orders.new", []byte("x"), nats.MsgId("order-123")))
		equal(t, "duplicate", fmt.Sprint(ack.Sequence, ack.Duplicate), fmt.Sprint(3, duplicate))
	}
}

func TestSeedClassicPushConsumer(t *testing.T) {
	_, nc, js := classic(t)
	addOrders(t, js)
	made[*nats.ConsumerInfo](t)(js.AddConsumer("ORDERS", &nats.ConsumerConfig{
		Durable:        "order-processor",
		DeliverSubject: "order.deliver",
		DeliverPolicy:  nats.DeliverAllPolicy,
		AckPolicy:      nats.AckExplicitPolicy,
		AckWait:        30 * time.Second,
	}))
	got := make(chan string, 10)
	made[*nats.Subscription](t)(nc.Subscribe("order.deliver", func(m *nats.Msg) {
		if err := m.AckSync(); err != nil {
			t.Error(err)
		}
		got <- m.Subject + "=" + string(m.Data)
	}))
	for i := 0; i < 3; i++ {
		made[*nats.PubAck](t)(js.Publish("orders.new", []byte(fmt.Sprint(i))))
	}
	for i := 0; i < 3; i++ {
		equal(t, "received", receive(t, got), fmt.Sprintf("orders.new=%d", i))
	}
	info := made[*nats.ConsumerInfo](t)(js.ConsumerInfo("ORDERS", "order-processor"))
	equal(t, "acknowledged", fmt.Sprint(info.AckFloor.Stream, info.NumAckPending), "3 0")
}

func TestSeedClassicPullConsumerAndEveryAck(t *testing.T) {
	_, _, js := classic(t)
	addOrders(t, js)
	made[*nats.ConsumerInfo](t)(js.AddConsumer("ORDERS", &nats.ConsumerConfig{Durable: "order-worker",
		AckPolicy: nats.AckExplicitPolicy, AckWait: 30 * time.Second}))
	for _, body := range []string{"ack", "nak", "delay", "progress", "term"} {
		made[*nats.PubAck](t)(js.Publish("orders.new", []byte(body)))
	}
	sub := made[*nats.Subscription](t)(js.PullSubscribe("orders.*", "order-worker"))
	messages := made[[]*nats.Msg](t)(sub.Fetch(5, nats.MaxWait(patience)))
	equal(t, "fetched", len(messages), 5)
	must(t, messages[0].Ack())
	must(t, messages[1].Nak())
	must(t, messages[2].NakWithDelay(200*time.Millisecond))
	must(t, messages[3].InProgress())
	must(t, messages[3].AckSync())
	must(t, messages[4].Term())
	var again []string
	for len(again) < 2 {
		for _, m := range made[[]*nats.Msg](t)(sub.Fetch(1, nats.MaxWait(patience))) {
			meta := made[*nats.MsgMetadata](t)(m.Metadata())
			again = append(again, fmt.Sprint(string(m.Data), meta.NumDelivered))
			must(t, m.AckSync())
		}
	}
	equal(t, "again", strings.Join(again, " "), "nak2 delay2")
	info := made[*nats.ConsumerInfo](t)(js.ConsumerInfo("ORDERS", "order-worker"))
	equal(t, "all done", fmt.Sprint(info.AckFloor.Stream, info.NumAckPending, info.NumPending), "5 0 0")
}

// The complete example: a durable subscription is made first, then five events come.
func TestSeedClassicCompleteExample(t *testing.T) {
	b, nc, js := classic(t)
	made[*nats.StreamInfo](t)(js.AddStream(&nats.StreamConfig{Name: "EVENTS", Subjects: []string{"events.*"},
		Storage: nats.FileStorage}))
	got := make(chan string, 10)
	sub := made[*nats.Subscription](t)(js.Subscribe("events.*", func(m *nats.Msg) {
		_ = m.Ack()
		got <- m.Subject + " " + string(m.Data)
	}, nats.Durable("event-processor")))
	for i := 0; i < 5; i++ {
		made[*nats.PubAck](t)(js.Publish("events.user", []byte(`{"action": "login"}`)))
		equal(t, "received", receive(t, got), `events.user {"action": "login"}`)
	}
	must(t, sub.Unsubscribe())
	must(t, nc.Flush())
	// Made by the subscription, the consumer went with it; the events stay, also when the server is killed.
	_, err := js.ConsumerInfo("EVENTS", "event-processor")
	equal(t, "gone", errors.Is(err, nats.ErrConsumerNotFound), true)
	b.restart()
	js = made[nats.JetStreamContext](t)(b.connect().JetStream())
	info := made[*nats.StreamInfo](t)(js.StreamInfo("EVENTS"))
	equal(t, "kept", info.State.Msgs, 5)
}
