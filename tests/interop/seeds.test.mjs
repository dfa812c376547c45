// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents that Jetglass started from describe, done with the official JavaScript client.
import { AckPolicy, DeliverPolicy, DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType,
  StoreCompression } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect, createInbox, headers, nanos } from "@nats-io/transport-node";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { Broker } from "./broker.mjs";
import { take } from "./take.mjs";

const minute = 60_000;
const day = 24 * 60 * minute;
const gib = 1024 ** 3;

const streams = {
  ORDERS: {
    name: "ORDERS", description: "订单事件流", subjects: ["orders.>"], retention: RetentionPolicy.Limits,
    max_age: nanos(7 * day), max_msgs: 10_000_000, max_bytes: 10 * gib, max_msg_size: 1024 ** 2,
    storage: StorageType.File, num_replicas: 1, duplicate_window: nanos(5 * minute), allow_direct: true,
    compression: StoreCompression.S2,
  },
  EVENTS: { name: "EVENTS", subjects: ["events.*"], storage: StorageType.File },
  TASKS: { name: "TASKS", subjects: ["tasks.>"], retention: RetentionPolicy.Workqueue, storage: StorageType.File },
  NOTIFICATIONS: { name: "NOTIFICATIONS", subjects: ["notify.>"], retention: RetentionPolicy.Interest,
    storage: StorageType.File },
  "DEVICE-STATUS": {
    name: "DEVICE-STATUS", description: "IoT 设备状态，每个设备保留最新一条", subjects: ["device.*.status"],
    max_msgs_per_subject: 1, max_age: nanos(7 * day), storage: StorageType.File, allow_direct: true,
    duplicate_window: nanos(30_000),
  },
};

let broker;
let nc;
let js;
let jsm;

before(async () => { broker = await Broker.start(); });
after(async () => { await broker.stop(); });

beforeEach(async () => {
  nc = await connect({ servers: broker.url });
  js = jetstream(nc);
  jsm = await jetstreamManager(nc);
});

afterEach(async () => {
  for await (const info of jsm.streams.list()) await jsm.streams.delete(info.config.name);
  await nc.close();
});

describe("streams of the seeds", () => {
  for (const config of Object.values(streams)) {
    it(`${config.name} is created as described, and replicas 3 is refused with 10074`, async () => {
      await assert.rejects(jsm.streams.add({ ...config, num_replicas: 3 }), (error) => {
        assert.equal(error.code, 10074);
        return true;
      });
      const info = await jsm.streams.add(config);
      for (const [key, value] of Object.entries(config)) assert.deepEqual(info.config[key], value, key);
      assert.equal((await jsm.streams.info(config.name)).state.messages, 0);
    });
  }

  it("a stream is changed while it runs, and what cannot change says so", async () => {
    await jsm.streams.add(streams.ORDERS);
    const info = await jsm.streams.update("ORDERS", { max_age: nanos(30 * day) });
    assert.equal(info.config.max_age, nanos(30 * day));
    await assert.rejects(jsm.streams.update("ORDERS", { storage: StorageType.Memory }), /can not change storage type/);
  });

  it("two streams cannot capture the same subject", async () => {
    await jsm.streams.add(streams.ORDERS);
    await assert.rejects(jsm.streams.add({ name: "OTHER", subjects: ["orders.created"] }),
      (error) => error.code === 10065);
  });
});

describe("publishing", () => {
  it("five publishes with message ids, one of them twice", async () => {
    await jsm.streams.add(streams.ORDERS);
    const ids = ["ORD-001-created", "ORD-001-updated", "ORD-002-created", "ORD-001-created", "ORD-003-created"];
    const acks = [];
    for (const id of ids) acks.push(await js.publish("orders.created", `{"id":"${id}"}`, { msgID: id }));
    assert.deepEqual(acks.map((ack) => ack.seq), [1, 2, 3, 1, 4]);
    assert.deepEqual(acks.map((ack) => ack.duplicate), [false, false, false, true, false]);
    assert.equal((await jsm.streams.info("ORDERS")).state.messages, 4);
  });

  it("a lost pub ack is retried without storing twice, also over a kill -9", async () => {
    await jsm.streams.add(streams.ORDERS);
    const h = headers();
    h.set("Nats-Msg-Id", "order-123");
    const unlucky = await connect({ servers: broker.url });
    unlucky.publish("orders.created", "first try", { headers: h, reply: createInbox() }); // the ack finds nobody
    await unlucky.flush();
    await unlucky.close();
    assert.equal((await jsm.streams.info("ORDERS")).state.messages, 1);
    const again = await js.publish("orders.created", "second try", { msgID: "order-123" });
    assert.equal(again.seq, 1);
    assert.equal(again.duplicate, true);
    assert.equal((await jsm.streams.info("ORDERS")).state.messages, 1);
    await broker.restart("SIGKILL");
    await nc.close();
    nc = await connect({ servers: broker.url });
    js = jetstream(nc);
    jsm = await jetstreamManager(nc);
    const afterwards = await js.publish("orders.created", "third try", { msgID: "order-123" });
    assert.equal(afterwards.seq, 1);
    assert.equal(afterwards.duplicate, true);
    const stored = await jsm.streams.getMessage("ORDERS", { seq: 1 });
    assert.equal(stored.string(), "first try");
  });

  it("thousands at once are all acknowledged with their own sequence", async () => {
    await jsm.streams.add(streams.ORDERS);
    const count = 5000;
    const acks = await Promise.all(Array.from({ length: count }, (_, i) =>
      js.publish("orders.created", JSON.stringify({ index: i }), { msgID: `msg-${i}`, timeout: 20_000 })));
    assert.deepEqual(acks.map((ack) => ack.seq).sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i + 1));
  });

  it("a message over max_msg_size and an unmet expectation are refused with NATS's codes", async () => {
    await jsm.streams.add({ ...streams.EVENTS, max_msg_size: 10 });
    await assert.rejects(js.publish("events.user", "x".repeat(11)), (error) => error.code === 10054);
    assert.equal((await jsm.streams.info("EVENTS")).state.last_seq, 0);
    await jsm.streams.update("EVENTS", { max_msg_size: -1 });
    await assert.rejects(js.publish("events.user", "x", { expect: { lastSequence: 7 } }),
      (error) => error.code === 10071);
    assert.equal((await jsm.streams.info("EVENTS")).state.last_seq, 0);
  });

  it("discard new keeps the old messages and refuses new ones", async () => {
    await jsm.streams.add({ name: "BACKGROUND-TASKS", subjects: ["tasks.email", "tasks.sms"], max_msgs: 2,
      retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.New });
    await js.publish("tasks.email", "1");
    await js.publish("tasks.sms", "2");
    await assert.rejects(js.publish("tasks.email", "3"), (error) => error.code === 10077);
    assert.equal((await jsm.streams.info("BACKGROUND-TASKS")).state.messages, 2);
  });
});

describe("reading without a consumer", () => {
  it("each device keeps its latest status and is read directly", async () => {
    await jsm.streams.add(streams["DEVICE-STATUS"]);
    for (const status of ["online", "idle", "offline"]) await js.publish("device.a.status", status);
    await js.publish("device.b.status", "online");
    const info = await jsm.streams.info("DEVICE-STATUS", { subjects_filter: ">" });
    assert.deepEqual(info.state.subjects, { "device.a.status": 1, "device.b.status": 1 });
    const last = await jsm.direct.getMessage("DEVICE-STATUS", { last_by_subj: "device.a.status" });
    assert.equal(last.string(), "offline");
    assert.equal(last.seq, 3);
  });

  it("purge in its four forms", async () => {
    await jsm.streams.add(streams.ORDERS);
    for (let i = 1; i <= 20; i++) await js.publish(i % 2 ? "orders.created" : "orders.cancelled", String(i));
    assert.equal((await jsm.streams.purge("ORDERS", { filter: "orders.cancelled" })).purged, 10);
    assert.equal((await jsm.streams.purge("ORDERS", { seq: 5 })).purged, 2);
    let state = (await jsm.streams.info("ORDERS")).state;
    assert.equal(state.first_seq, 5, "purge by sequence keeps that sequence and what follows");
    assert.equal((await jsm.streams.purge("ORDERS", { keep: 3 })).purged, 5);
    assert.equal((await jsm.streams.purge("ORDERS")).purged, 3);
    state = (await jsm.streams.info("ORDERS")).state;
    assert.deepEqual([state.messages, state.first_seq, state.last_seq], [0, 21, 20]);
  });
});

describe("consumers", () => {
  it("a pull consumer fetches in batches and acknowledges", async () => {
    await jsm.streams.add(streams.ORDERS);
    for (let i = 0; i < 25; i++) await js.publish("orders.created", String(i));
    await jsm.consumers.add("ORDERS", { durable_name: "order-worker", ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(30_000) });
    const consumer = await js.consumers.get("ORDERS", "order-worker");
    const seen = [];
    for (let batch = 0; batch < 3; batch++) {
      for await (const m of await consumer.fetch({ max_messages: 10, expires: 1000 })) {
        seen.push(Number(m.string()));
        assert.equal(await m.ackAck(), true);
      }
    }
    assert.deepEqual(seen, Array.from({ length: 25 }, (_, i) => i));
    const info = await consumer.info();
    assert.deepEqual([info.num_pending, info.num_ack_pending, info.ack_floor.stream_seq], [0, 0, 25]);
  });

  it("a push consumer delivers to its subject", async () => {
    await jsm.streams.add(streams.EVENTS);
    const inbox = createInbox();
    await jsm.consumers.add("EVENTS", { durable_name: "event-processor", ack_policy: AckPolicy.Explicit,
      deliver_subject: inbox });
    const consumer = await js.consumers.getPushConsumer("EVENTS", "event-processor");
    const messages = await consumer.consume();
    for (let i = 0; i < 5; i++) await js.publish("events.user", `{"action":"login","n":${i}}`);
    const got = await take(messages, 5);
    for (const m of got) assert.equal(await m.ackAck(), true);
    assert.deepEqual(got.map((m) => m.json().n), [0, 1, 2, 3, 4]);
    assert.equal((await jsm.consumers.info("EVENTS", "event-processor")).ack_floor.stream_seq, 5);
  });

  it("a message that is not acknowledged comes again after ack wait, with a higher delivery count", async () => {
    await jsm.streams.add(streams.ORDERS);
    await js.publish("orders.created", "slow");
    await jsm.consumers.add("ORDERS", { durable_name: "slow", ack_policy: AckPolicy.Explicit, ack_wait: nanos(300) });
    const consumer = await js.consumers.get("ORDERS", "slow");
    const first = await consumer.next({ expires: 1000 });
    assert.equal(first.info.deliveryCount, 1);
    const second = await consumer.next({ expires: 5000 });
    assert.equal(second.info.deliveryCount, 2);
    assert.equal(second.seq, first.seq);
    assert.equal(await first.ackAck(), true, "the first delivery's ack subject still works");
    assert.equal((await consumer.info()).num_ack_pending, 0);
  });

  it("nak, nak with delay, in progress, term and max deliver", async () => {
    await jsm.streams.add(streams.ORDERS);
    for (const body of ["nak", "later", "work", "term", "poison"]) await js.publish("orders.created", body);
    await jsm.consumers.add("ORDERS", { durable_name: "mixed", ack_policy: AckPolicy.Explicit, max_deliver: 3,
      ack_wait: nanos(30_000) });
    const consumer = await js.consumers.get("ORDERS", "mixed");
    const exhausted = nc.subscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.ORDERS.mixed", { max: 1 });
    await nc.flush();
    const counts = {};
    const done = new Set();
    const messages = await consumer.consume({ max_messages: 5 });
    for await (const m of messages) {
      const body = m.string();
      counts[body] = m.info.deliveryCount;
      if (body === "nak" && m.info.deliveryCount === 1) m.nak();
      else if (body === "later" && m.info.deliveryCount === 1) m.nak(200);
      else if (body === "work") { m.working(); await m.ackAck(); done.add(body); }
      else if (body === "term") { m.term("bad order"); done.add(body); }
      else if (body === "poison") { m.nak(); if (m.info.deliveryCount === 3) done.add(body); }
      else { await m.ackAck(); done.add(body); }
      if (done.size === 5) break;
    }
    assert.deepEqual(counts, { nak: 2, later: 2, work: 1, term: 1, poison: 3 });
    for await (const m of exhausted) {
      const advisory = m.json();
      assert.equal(advisory.stream_seq, 5);
      assert.equal(advisory.deliveries, 3);
    }
    assert.equal((await jsm.streams.info("ORDERS")).state.messages, 5, "nothing is dropped at max deliver");
  });

  it("three workers share a work queue; every task is done once and leaves", async () => {
    await jsm.streams.add(streams.TASKS);
    await jsm.consumers.add("TASKS", { durable_name: "workers", ack_policy: AckPolicy.Explicit });
    await assert.rejects(jsm.consumers.add("TASKS", { durable_name: "second", ack_policy: AckPolicy.Explicit }),
      (error) => error.code === 10099);
    const count = 60;
    for (let i = 0; i < count; i++) await js.publish("tasks.mail", String(i));
    const done = new Map();
    const workers = await Promise.all([1, 2, 3].map(async (worker) => {
      const connection = await connect({ servers: broker.url });
      const consumer = await jetstream(connection).consumers.get("TASKS", "workers");
      const messages = await consumer.consume({ max_messages: 5 });
      const finished = (async () => {
        for await (const m of messages) {
          assert.equal(done.has(m.seq), false);
          done.set(m.seq, worker);
          assert.equal(await m.ackAck(), true);
          if (done.size === count) break;
        }
      })();
      return { connection, messages, finished };
    }));
    await Promise.race(workers.map((worker) => worker.finished));
    await Promise.all(workers.map((worker) => worker.messages.close()));
    assert.equal(done.size, count);
    assert.equal(new Set(done.values()).size, 3, "all three had work");
    assert.equal((await jsm.streams.info("TASKS")).state.messages, 0);
    await Promise.all(workers.map((worker) => worker.connection.close()));
  });

  it("filters that do not overlap may share a work queue", async () => {
    await jsm.streams.add(streams.TASKS);
    await jsm.consumers.add("TASKS", { durable_name: "mail", filter_subject: "tasks.mail", ack_policy: AckPolicy.Explicit });
    await jsm.consumers.add("TASKS", { durable_name: "sms", filter_subject: "tasks.sms", ack_policy: AckPolicy.Explicit });
    await assert.rejects(jsm.consumers.add("TASKS",
      { durable_name: "all", filter_subject: "tasks.*", ack_policy: AckPolicy.Explicit }), (e) => e.code === 10100);
  });

  it("an interest stream keeps a message until both consumers are done, and nothing without consumers", async () => {
    await jsm.streams.add(streams.NOTIFICATIONS);
    assert.equal((await js.publish("notify.none", "nobody listens")).seq, 1);
    assert.equal((await jsm.streams.info("NOTIFICATIONS")).state.messages, 0);
    for (const name of ["A", "B"]) {
      await jsm.consumers.add("NOTIFICATIONS", { durable_name: name, ack_policy: AckPolicy.Explicit });
    }
    await js.publish("notify.user", "both");
    const a = await (await js.consumers.get("NOTIFICATIONS", "A")).next({ expires: 1000 });
    assert.equal(await a.ackAck(), true);
    assert.equal((await jsm.streams.info("NOTIFICATIONS")).state.messages, 1);
    const b = await (await js.consumers.get("NOTIFICATIONS", "B")).next({ expires: 1000 });
    assert.equal(await b.ackAck(), true);
    assert.equal((await jsm.streams.info("NOTIFICATIONS")).state.messages, 0);
  });

  for (const [policy, extra, expected] of [
    [DeliverPolicy.All, {}, [1, 2, 3, 4, 5, 6]],
    [DeliverPolicy.Last, {}, [6]],
    [DeliverPolicy.New, {}, []],
    [DeliverPolicy.LastPerSubject, { filter_subject: "orders.>" }, [5, 6]],
    [DeliverPolicy.StartSequence, { opt_start_seq: 4 }, [4, 5, 6]],
  ]) {
    it(`deliver policy ${policy}`, async () => {
      await jsm.streams.add(streams.ORDERS);
      for (let i = 1; i <= 6; i++) await js.publish(i % 2 ? "orders.a" : "orders.b", String(i));
      await jsm.consumers.add("ORDERS", { durable_name: "d", ack_policy: AckPolicy.Explicit, deliver_policy: policy,
        ...extra });
      const consumer = await js.consumers.get("ORDERS", "d");
      const seqs = [];
      for await (const m of await consumer.fetch({ max_messages: 10, expires: 1000, no_wait: true })) seqs.push(m.seq);
      assert.deepEqual(seqs, expected);
    });
  }

  it("streams, messages, consumers and positions survive kill -9", async () => {
    await jsm.streams.add(streams.ORDERS);
    for (let i = 1; i <= 10; i++) await js.publish("orders.created", String(i));
    await jsm.consumers.add("ORDERS", { durable_name: "keeper", ack_policy: AckPolicy.Explicit });
    let consumer = await js.consumers.get("ORDERS", "keeper");
    for await (const m of await consumer.fetch({ max_messages: 4, expires: 1000 })) assert.equal(await m.ackAck(), true);
    await broker.restart("SIGKILL");
    await nc.close();
    nc = await connect({ servers: broker.url });
    js = jetstream(nc);
    jsm = await jetstreamManager(nc);
    const info = await jsm.streams.info("ORDERS");
    assert.deepEqual([info.state.messages, info.config.description], [10, "订单事件流"]);
    consumer = await js.consumers.get("ORDERS", "keeper");
    assert.equal((await consumer.info()).ack_floor.stream_seq, 4);
    const next = await consumer.next({ expires: 1000 });
    assert.equal(next.seq, 5);
  });
});

describe("key-value on top", () => {
  it("put, get, update, delete, watch and history", async () => {
    const kv = await new Kvm(js).create("settings", { history: 5 });
    assert.equal(await kv.put("theme", "light"), 1);
    assert.equal(await kv.update("theme", "dark", 1), 2);
    await assert.rejects(kv.update("theme", "late", 1), /wrong last sequence/);
    await assert.rejects(kv.create("theme", "again"));
    assert.equal((await kv.get("theme")).string(), "dark");
    const history = [];
    for await (const entry of await kv.history({ key: "theme" })) history.push(entry.string());
    assert.deepEqual(history, ["light", "dark"]);
    const watch = await kv.watch();
    const seen = [];
    for await (const entry of watch) {
      seen.push(`${entry.operation} ${entry.key}`);
      if (seen.length === 1) await kv.delete("theme");
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, ["PUT theme", "DEL theme"]);
    assert.equal((await kv.get("theme")).operation, "DEL");
  });
});
