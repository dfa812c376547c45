// SPDX-License-Identifier: GPL-3.0-or-later
// What users of the official JavaScript client use most besides the documents' examples.
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { Svcm } from "@nats-io/services";
import { connect, createInbox, headers, nanos } from "@nats-io/transport-node";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { Broker } from "./broker.mjs";
import { take } from "./take.mjs";

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

describe("core", () => {
  it("publishes with headers to wildcards", async () => {
    const one = nc.subscribe("a.*.c", { max: 1 });
    const many = nc.subscribe("a.>", { max: 2 });
    const h = headers();
    h.append("Trace", "1");
    h.append("Trace", "2");
    nc.publish("a.b.c", "both", { headers: h });
    nc.publish("a.b", "only many");
    const [message] = await take(one, 1);
    assert.deepEqual([message.string(), message.headers.values("Trace")], ["both", ["1", "2"]]);
    assert.deepEqual((await take(many, 2)).map((m) => m.string()), ["both", "only many"]);
  });

  it("requests are shared by a queue group, many answers are gathered, nobody is told at once", async () => {
    const answered = [0, 0];
    const workers = await Promise.all(answered.map(async (_, i) => {
      const worker = await connect({ servers: broker.url });
      worker.subscribe("work", { queue: "workers", callback: (_, m) => { answered[i]++; m.respond(m.data); } });
      worker.subscribe("all", { callback: (_, m) => m.respond(String(i)) });
      await worker.flush();
      return worker;
    }));
    for (let i = 0; i < 60; i++) assert.equal((await nc.request("work", String(i))).string(), String(i));
    assert.equal(answered[0] + answered[1], 60);
    assert.ok(answered.every((count) => count > 0));
    const all = await nc.requestMany("all", "", { strategy: "count", maxMessages: 2, maxWait: 5000 });
    assert.deepEqual((await take(all, 2)).map((m) => m.string()).sort(), ["0", "1"]);
    await assert.rejects(nc.request("nobody"), (error) => error.isNoResponders?.() ?? /no responders/i.test(error.message));
    await Promise.all(workers.map((worker) => worker.drain()));
  });
});

describe("consumers", () => {
  it("an ordered consumer reads in order and goes on after its consumer is gone", async () => {
    await jsm.streams.add({ name: "S", subjects: ["s"] });
    for (let i = 1; i <= 100; i++) await js.publish("s", String(i));
    const ordered = await js.consumers.get("S", { deliver_policy: DeliverPolicy.All });
    const messages = await ordered.consume({ idle_heartbeat: 500 });
    const seqs = [];
    for await (const m of messages) {
      seqs.push(m.seq);
      if (m.seq === 100) {
        for await (const info of jsm.consumers.list("S")) await jsm.consumers.delete("S", info.name);
        await js.publish("s", "after");
      }
      if (m.seq === 101) break;
    }
    assert.deepEqual(seqs, Array.from({ length: 101 }, (_, i) => i + 1));
  });

  it("filters, headers only, pause and resume", async () => {
    await jsm.streams.add({ name: "S", subjects: ["s.>"] });
    for (let i = 0; i < 6; i++) await js.publish(`s.${i % 3}`, "12345");
    await jsm.consumers.add("S", { durable_name: "c", ack_policy: AckPolicy.Explicit, headers_only: true,
      filter_subjects: ["s.0", "s.2"] });
    const consumer = await js.consumers.get("S", "c");
    const batch = await take(await consumer.fetch({ max_messages: 4, expires: 5000 }), 4);
    assert.deepEqual(batch.map((m) => [m.subject, m.data.length, m.headers.get("Nats-Msg-Size")]),
      ["s.0", "s.2", "s.0", "s.2"].map((subject) => [subject, 0, "5"]));
    assert.equal((await jsm.consumers.pause("S", "c", new Date(Date.now() + 3_600_000))).paused, true);
    await js.publish("s.0", "held");
    assert.equal(await consumer.next({ expires: 1000 }), null);
    assert.equal((await jsm.consumers.resume("S", "c")).paused, false);
    assert.equal((await consumer.next({ expires: 5000 })).seq, 7);
  });

  it("a push consumer with heartbeats and flow control", async () => {
    await jsm.streams.add({ name: "S", subjects: ["s"] });
    await jsm.consumers.add("S", { durable_name: "push", ack_policy: AckPolicy.None, deliver_subject: createInbox(),
      idle_heartbeat: nanos(500), flow_control: true });
    const messages = await (await js.consumers.getPushConsumer("S", "push")).consume();
    const payload = "x".repeat(10_000);
    await Promise.all(Array.from({ length: 300 }, () => js.publish("s", payload)));
    assert.deepEqual((await take(messages, 300)).map((m) => m.seq), Array.from({ length: 300 }, (_, i) => i + 1));
  });
});

describe("stores", () => {
  it("a key expires by itself and the watcher is told", async () => {
    const kv = await new Kvm(js).create("locks", { markerTTL: 1000 });
    const watch = await kv.watch();
    assert.equal(await kv.create("lock", "mine", "1s"), 1);
    const seen = (await take(watch, 2)).map((entry) => entry.operation);
    assert.equal(seen[0], "PUT");
    assert.notEqual(seen[1], "PUT");
    const left = await kv.get("lock");
    assert.notEqual(left?.operation, "PUT");
  });

  it("objects in chunks, links, deletes and the seal", async () => {
    const store = await new Objm(js).create("files");
    const data = new Uint8Array(300_000).map((_, i) => i);
    const info = await store.putBlob({ name: "big.bin", description: "chunks", options: { max_chunk_size: 65536 } }, data);
    assert.deepEqual([info.size, info.chunks], [300_000, 5]);
    assert.deepEqual(await store.getBlob("big.bin"), data);
    await store.link("shortcut", await store.info("big.bin"));
    assert.equal((await store.getBlob("shortcut")).length, 300_000);
    const watch = await store.watch({ includeHistory: false, updatesOnly: true });
    await store.delete("shortcut");
    const [gone] = await take((async function* () { for await (const i of watch) if (i?.deleted) yield i; })(), 1);
    assert.equal(gone.name, "shortcut");
    assert.deepEqual((await store.list()).map((i) => i.name), ["big.bin"]);
    assert.equal((await store.seal()).sealed, true);
    await assert.rejects(store.putBlob({ name: "late" }, data), /sealed|10109/);
  });
});

describe("services", () => {
  it("a service is found, answers and counts", async () => {
    const provider = await connect({ servers: broker.url });
    const service = await new Svcm(provider).add({ name: "math", version: "1.2.3", metadata: { team: "a" } });
    service.addGroup("math").addEndpoint("double", (error, m) => {
      const number = Number(m.string());
      if (Number.isNaN(number)) m.respondError(400, "no number");
      else m.respond(String(2 * number));
    });
    await provider.flush();
    assert.equal((await nc.request("math.double", "21")).string(), "42");
    assert.equal((await nc.request("math.double", "x")).headers.get("Nats-Service-Error-Code"), "400");
    const client = new Svcm(nc).client({ strategy: "count", maxMessages: 1, maxWait: 5000 });
    const [ping] = await take(await client.ping("math"), 1);
    assert.deepEqual([ping.name, ping.version, ping.metadata], ["math", "1.2.3", { team: "a" }]);
    const [info] = await take(await client.info("math", ping.id), 1);
    assert.deepEqual(info.endpoints.map((endpoint) => endpoint.subject), ["math.double"]);
    const [stats] = await take(await client.stats("math"), 1);
    assert.equal(stats.endpoints[0].num_requests, 2);
    await service.stop();
    await provider.close();
  });
});
