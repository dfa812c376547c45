// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// Core NATS and services.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

func TestPublishSubscribeAndHeaders(t *testing.T) {
	nc := startBroker(t).connect()
	one := made[*nats.Subscription](t)(nc.SubscribeSync("a.*.c"))
	many := made[*nats.Subscription](t)(nc.SubscribeSync("a.>"))
	message := nats.NewMsg("a.b.c")
	message.Data = []byte("both")
	message.Header.Add("Trace", "1")
	message.Header.Add("Trace", "2")
	must(t, nc.PublishMsg(message))
	must(t, nc.Publish("a.b", []byte("only many")))
	got := made[*nats.Msg](t)(one.NextMsg(patience))
	equal(t, "received", fmt.Sprint(got.Subject, string(got.Data), got.Header.Values("Trace")), "a.b.cboth[1 2]")
	for _, want := range []string{"both", "only many"} {
		equal(t, "received", string(made[*nats.Msg](t)(many.NextMsg(patience)).Data), want)
	}
	pending, _, err := one.Pending()
	must(t, err)
	equal(t, "pending", pending, 0)
	equal(t, "headers", nc.HeadersSupported(), true)
	equal(t, "payload", nc.MaxPayload(), 1024*1024)
	made[time.Duration](t)(nc.RTT())
}

func TestQueueGroupRequestAndNoResponders(t *testing.T) {
	b := startBroker(t)
	client := b.connect()
	for worker := 0; worker < 3; worker++ {
		nc := b.connect()
		name := strconv.Itoa(worker)
		made[*nats.Subscription](t)(nc.QueueSubscribe("work", "workers", func(m *nats.Msg) {
			_ = m.Respond([]byte(name))
		}))
		must(t, nc.Flush())
	}
	answers := map[string]int{}
	for i := 0; i < 120; i++ {
		answers[string(made[*nats.Msg](t)(client.Request("work", nil, patience)).Data)]++
	}
	equal(t, "workers with work", len(answers), 3)
	_, err := client.Request("nobody", nil, patience)
	equal(t, "nobody", errors.Is(err, nats.ErrNoResponders), true)
}

func TestDrainAndAutoUnsubscribe(t *testing.T) {
	b := startBroker(t)
	closed := make(chan bool, 1)
	nc := b.connect(nats.ClosedHandler(func(*nats.Conn) { closed <- true }))
	few, all := make(chan *nats.Msg, 20), make(chan *nats.Msg, 20)
	sub := made[*nats.Subscription](t)(nc.ChanSubscribe("few", few))
	must(t, sub.AutoUnsubscribe(2))
	made[*nats.Subscription](t)(nc.ChanSubscribe("all", all))
	must(t, nc.Flush())
	other := b.connect()
	for i := 0; i < 5; i++ {
		must(t, other.Publish("few", nil))
		must(t, other.Publish("all", nil))
	}
	must(t, other.Flush())
	must(t, nc.Flush())
	must(t, nc.Drain())
	receive(t, closed)
	equal(t, "received", fmt.Sprint(len(few), len(all)), "2 5")
}

func TestReconnect(t *testing.T) {
	b := startBroker(t)
	back := make(chan bool, 1)
	nc := b.connect(nats.ReconnectWait(20*time.Millisecond), nats.MaxReconnects(-1),
		nats.ReconnectHandler(func(*nats.Conn) { back <- true }))
	got := make(chan *nats.Msg, 1)
	made[*nats.Subscription](t)(nc.ChanSubscribe("after", got))
	must(t, nc.Flush())
	b.restart()
	receive(t, back)
	must(t, nc.Publish("after", []byte("still subscribed")))
	equal(t, "received", string(receive(t, got).Data), "still subscribed")
}

func TestService(t *testing.T) {
	b := startBroker(t)
	nc := b.connect()
	service := made[micro.Service](t)(micro.AddService(nc, micro.Config{Name: "math", Version: "1.2.3",
		Description: "doubles", Metadata: map[string]string{"team": "a"}}))
	must(t, service.AddGroup("math").AddEndpoint("double", micro.HandlerFunc(func(r micro.Request) {
		number, err := strconv.Atoi(string(r.Data()))
		if err != nil {
			_ = r.Error("400", "no number", nil)
			return
		}
		_ = r.Respond([]byte(strconv.Itoa(2 * number)))
	})))
	must(t, nc.Flush())
	client := b.connect()
	equal(t, "answer", string(made[*nats.Msg](t)(client.Request("math.double", []byte("21"), patience)).Data), "42")
	failed := made[*nats.Msg](t)(client.Request("math.double", []byte("x"), patience))
	equal(t, "error", failed.Header.Get(micro.ErrorCodeHeader)+failed.Header.Get(micro.ErrorHeader), "400no number")
	ask := func(verb micro.Verb, into any) {
		subject := made[string](t)(micro.ControlSubject(verb, "math", service.Info().ID))
		must(t, json.Unmarshal(made[*nats.Msg](t)(client.Request(subject, nil, patience)).Data, into))
	}
	var ping micro.Ping
	ask(micro.PingVerb, &ping)
	equal(t, "ping", fmt.Sprint(ping.Name, ping.Version, ping.Metadata["team"]), "math1.2.3a")
	var info micro.Info
	ask(micro.InfoVerb, &info)
	equal(t, "endpoint", info.Endpoints[0].Subject, "math.double")
	var stats micro.Stats
	ask(micro.StatsVerb, &stats)
	equal(t, "requests", fmt.Sprint(stats.Endpoints[0].NumRequests, stats.Endpoints[0].NumErrors), "2 1")
	must(t, service.Stop())
	equal(t, "stopped", service.Stopped(), true)
}
