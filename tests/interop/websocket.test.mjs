// SPDX-License-Identifier: GPL-3.0-or-later
// The official JavaScript client over WebSocket, as in a browser.
import "./web_socket.mjs";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, wsconnect } from "@nats-io/transport-node";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Broker } from "./broker.mjs";

for (const compression of [false, true]) {
  describe(`WebSocket, compression ${compression}`, () => {
    let broker;
    before(async () => {
      broker = await Broker.start(`websocket { port: -1, no_tls: true, compression: ${compression} }\n`);
    });
    after(async () => { await broker.stop(); });

    it("talks with a client over TCP", async () => {
      const web = await wsconnect({ servers: broker.webSocketUrl });
      const tcp = await connect({ servers: broker.url });
      const answers = web.subscribe("ask.*", { callback: (_, m) => m.respond(`heard ${m.string()}`) });
      await web.flush();
      assert.equal((await tcp.request("ask.1", "hello")).string(), "heard hello");
      assert.equal(answers.getReceived(), 1);
      await assert.rejects(web.request("nobody.home"), /no responders/);
      await web.close();
      await tcp.close();
    });

    it("carries large messages in both directions", async () => {
      const web = await wsconnect({ servers: broker.webSocketUrl });
      const payload = new Uint8Array(900_000).map((_, i) => (i * 7919) >> 5);
      const subscription = web.subscribe("large", { max: 1 });
      web.publish("large", payload);
      for await (const m of subscription) assert.deepEqual(m.data, payload);
      await web.close();
    });

    it("uses JetStream", async () => {
      const web = await wsconnect({ servers: broker.webSocketUrl });
      const jsm = await jetstreamManager(web);
      await jsm.streams.add({ name: "WEB", subjects: ["web.>"] });
      const js = jetstream(web);
      for (let i = 1; i <= 500; i++) assert.equal((await js.publish("web.x", `m${i}`)).seq, i);
      await jsm.consumers.add("WEB", { durable_name: "C", ack_policy: AckPolicy.Explicit });
      const consumer = await js.consumers.get("WEB", "C");
      let seen = 0;
      for await (const m of await consumer.fetch({ max_messages: 500, expires: 5000 })) {
        assert.equal(m.string(), `m${++seen}`);
        m.ack();
      }
      assert.equal(seen, 500);
      await jsm.streams.delete("WEB");
      await web.drain();
    });
  });
}
