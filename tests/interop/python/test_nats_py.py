# SPDX-License-Identifier: GPL-3.0-or-later
"""What users of nats-py use most, against the broker's own binary."""
import asyncio
import datetime
import io
import json
import unittest

import nats.micro
from broker import BrokerTest
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout
from nats.js.api import (AckPolicy, ConsumerConfig, DeliverPolicy, KeyValueConfig, ObjectMeta, ObjectMetaOptions,
                         StreamConfig)
from nats.js.errors import (APIError, KeyNotFoundError, KeyWrongLastSequenceError, NoKeysError, NotFoundError,
                            ObjectNotFoundError)

WAIT = 10


async def take(queue, count):
    return [await asyncio.wait_for(queue.get(), WAIT) for _ in range(count)]


def into(queue):
    async def callback(message):
        await queue.put(message)
    return callback


class Core(BrokerTest):
    async def test_publish_subscribe_wildcards_and_headers(self):
        one, many = await self.nc.subscribe("a.*.c"), await self.nc.subscribe("a.>")
        await self.nc.publish("a.b.c", b"both", headers={"Trace": "7", "Lang": "中文"})
        await self.nc.publish("a.b", b"only many")
        message = await one.next_msg(WAIT)
        self.assertEqual((message.subject, message.data, message.headers["Trace"]), ("a.b.c", b"both", "7"))
        self.assertEqual(message.headers["Lang"], "中文")
        self.assertEqual([(await many.next_msg(WAIT)).data for _ in range(2)], [b"both", b"only many"])
        self.assertEqual(one.pending_msgs, 0)

    async def test_a_queue_group_shares(self):
        got = [asyncio.Queue(), asyncio.Queue()]
        done = asyncio.Queue()
        for own in got:
            async def callback(message, own=own):
                await own.put(message)
                await done.put(message.data)
            connection = await self.connect()
            await connection.subscribe("work", queue="workers", cb=callback)
            await connection.flush()
        for number in range(100):
            await self.nc.publish("work", str(number).encode())
        self.assertEqual(sorted(int(data) for data in await take(done, 100)), list(range(100)))
        self.assertTrue(all(queue.qsize() > 0 for queue in got))

    async def test_request_reply_and_nobody_there(self):
        async def answer(message):
            await message.respond(message.data.upper())

        await self.nc.subscribe("upper", cb=answer)
        self.assertEqual((await self.nc.request("upper", b"abc", timeout=WAIT)).data, b"ABC")
        answers = await asyncio.gather(*(self.nc.request("upper", f"n{i}".encode(), timeout=WAIT) for i in range(50)))
        self.assertEqual([answer.data for answer in answers], [f"N{i}".encode() for i in range(50)])
        with self.assertRaises(NoRespondersError):
            await self.nc.request("nobody", b"", timeout=WAIT)

    async def test_unsubscribe_after_some_and_drain(self):
        got = asyncio.Queue()
        subscription = await self.nc.subscribe("few", cb=into(got))
        await subscription.unsubscribe(limit=2)
        rest = asyncio.Queue()
        await self.nc.subscribe("drained", cb=into(rest))
        other = await self.connect()
        await self.nc.flush()
        for number in range(5):
            await other.publish("few", str(number).encode())
            await other.publish("drained", str(number).encode())
        await other.flush()
        await self.nc.flush()
        await self.nc.drain()
        self.assertEqual(got.qsize(), 2)
        self.assertEqual(rest.qsize(), 5)
        self.assertTrue(self.nc.is_closed)

    async def test_what_the_server_says_of_itself(self):
        self.assertTrue(self.nc.connected_server_version.major >= 2)
        self.assertEqual(self.nc.max_payload, 1024 * 1024)
        self.assertLess(await self.nc.rtt(), WAIT)


class Publishing(BrokerTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        await self.js.add_stream(name="S", subjects=["s.>"])

    async def test_ids_and_expectations(self):
        acks = [await self.js.publish("s.a", b"x", headers={"Nats-Msg-Id": key}) for key in ("1", "2", "1")]
        self.assertEqual([(ack.seq, bool(ack.duplicate)) for ack in acks], [(1, False), (2, False), (1, True)])
        for headers, code in (({"Nats-Expected-Stream": "T"}, 10060), ({"Nats-Expected-Last-Sequence": "9"}, 10071),
                              ({"Nats-Expected-Last-Msg-Id": "9"}, 10070),
                              ({"Nats-Expected-Last-Subject-Sequence": "9"}, 10071)):
            with self.assertRaises(APIError) as refused:
                await self.js.publish("s.a", b"x", headers=headers)
            self.assertEqual(refused.exception.err_code, code, headers)
        ack = await self.js.publish("s.a", b"x", headers={"Nats-Expected-Last-Sequence": "2",
                                                         "Nats-Expected-Last-Msg-Id": "2"}, stream="S")
        self.assertEqual((ack.stream, ack.seq), ("S", 3))

    async def test_thousands_in_flight(self):
        futures = [await self.js.publish_async("s.a", str(number).encode()) for number in range(3000)]
        await asyncio.wait_for(self.js.publish_async_completed(), 60)
        self.assertEqual([future.result().seq for future in futures], list(range(1, 3001)))

    async def test_a_message_with_its_own_time_to_live(self):
        await self.js.update_stream(StreamConfig(name="S", subjects=["s.>"], allow_msg_ttl=True,
                                                 subject_delete_marker_ttl=1))
        short = await self.js.subscribe("s.short", deliver_policy=DeliverPolicy.NEW)
        await self.js.publish("s.short", b"x", msg_ttl=1)
        await self.js.publish("s.long", b"y")
        self.assertEqual((await short.next_msg(WAIT)).data, b"x")
        marker = await short.next_msg(WAIT)
        self.assertEqual((marker.headers["Nats-Marker-Reason"], marker.metadata.sequence.stream), ("MaxAge", 3))
        info = await self.js.stream_info("S", subjects_filter=">")
        self.assertEqual(info.state.subjects, {"s.short": 1, "s.long": 1})

    async def test_reading_and_deleting_single_messages(self):
        for body in (b"1", b"2", b"3"):
            await self.js.publish("s.a", body, headers={"Body": body.decode()})
        message = await self.js.get_msg("S", 2)
        self.assertEqual((message.subject, message.data, message.headers["Body"]), ("s.a", b"2", "2"))
        self.assertEqual((await self.js.get_last_msg("S", "s.a")).seq, 3)
        self.assertTrue(await self.js.delete_msg("S", 2))
        with self.assertRaises(NotFoundError):
            await self.js.get_msg("S", 2)
        await self.js.purge_stream("S", keep=1)
        state = (await self.js.stream_info("S")).state
        self.assertEqual((state.messages, state.first_seq, state.last_seq), (1, 3, 3))


class Consuming(BrokerTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        await self.js.add_stream(name="S", subjects=["s.>"])

    async def fill(self, count):
        for number in range(count):
            await self.js.publish(f"s.{number % 2}", str(number).encode(), timeout=WAIT)

    async def test_every_kind_of_acknowledgement(self):
        bodies = (b"ack", b"sync", b"nak", b"delay", b"working", b"term")
        for body in bodies:
            await self.js.publish("s.a", body)
        consumer = await self.js.pull_subscribe("s.>", "c", config=ConsumerConfig(ack_wait=30))
        seen = []
        got = {message.data: message for message in await consumer.fetch(6, timeout=WAIT)}
        await got[b"ack"].ack()
        await got[b"sync"].ack_sync()
        await got[b"nak"].nak()
        await got[b"delay"].nak(delay=0.2)
        await got[b"working"].in_progress()
        await got[b"working"].ack_sync()
        await got[b"term"].term()
        while len(seen) < 2:
            for message in await consumer.fetch(2, timeout=WAIT):
                seen.append((message.data, message.metadata.num_delivered))
                await message.ack_sync()
        self.assertEqual(seen, [(b"nak", 2), (b"delay", 2)])
        info = await consumer.consumer_info()
        self.assertEqual((info.num_ack_pending, info.ack_floor.stream_seq, info.num_pending), (0, 6, 0))

    async def test_progress_puts_off_the_redelivery(self):
        await self.fill(1)
        consumer = await self.js.pull_subscribe("s.>", "c", config=ConsumerConfig(ack_wait=2))
        message, = await consumer.fetch(1, timeout=WAIT)
        for _ in range(4):
            with self.assertRaises(NatsTimeout):  # together more than ack_wait
                await consumer.fetch(1, timeout=0.7)
            await message.in_progress()
        await message.ack_sync()
        self.assertEqual((await consumer.consumer_info()).num_redelivered, 0)

    async def test_backoff_and_max_deliver(self):
        await self.fill(1)
        consumer = await self.js.pull_subscribe("s.>", "c", config=ConsumerConfig(max_deliver=3, backoff=[0.1, 0.2]))
        deliveries = [(await consumer.fetch(1, timeout=WAIT))[0].metadata.num_delivered for _ in range(3)]
        self.assertEqual(deliveries, [1, 2, 3])
        with self.assertRaises(NatsTimeout):
            await consumer.fetch(1, timeout=0.5)

    async def test_fetch_in_batches_with_heartbeat(self):
        await self.fill(25)
        consumer = await self.js.pull_subscribe("s.>", "c")
        seqs = []
        for expected in (10, 10, 5):
            batch = await consumer.fetch(10, timeout=1, heartbeat=0.2)
            self.assertEqual(len(batch), expected)
            for message in batch:
                seqs.append(message.metadata.sequence.stream)
                await message.ack()
        self.assertEqual(seqs, list(range(1, 26)))

    async def test_filters(self):
        await self.fill(6)
        config = ConsumerConfig(filter_subjects=["s.0", "s.2"])
        await self.js.add_consumer("S", config, durable_name="c")
        consumer = await self.js.pull_subscribe_bind("c", "S")
        self.assertEqual([m.data for m in await consumer.fetch(3, timeout=WAIT)], [b"0", b"2", b"4"])

    async def test_a_push_consumer_with_a_callback(self):
        got = asyncio.Queue()
        await self.js.subscribe("s.>", durable="push", cb=into(got))
        await self.fill(5)
        self.assertEqual([message.data for message in await take(got, 5)], [b"0", b"1", b"2", b"3", b"4"])
        await self.nc.flush()
        info = await self.js.consumer_info("S", "push")
        self.assertTrue(info.push_bound)
        self.assertEqual(info.delivered.stream_seq, 5)

    async def test_a_push_queue_group(self):
        done = asyncio.Queue()
        for _ in range(2):
            js = (await self.connect()).jetstream()
            await js.subscribe("s.>", queue="group", cb=into(done))
        await self.fill(50)
        seqs = [message.metadata.sequence.stream for message in await take(done, 50)]
        self.assertEqual(sorted(seqs), list(range(1, 51)))
        self.assertEqual((await self.js.consumer_info("S", "group")).config.deliver_group, "group")

    async def test_an_ordered_consumer_with_flow_control(self):
        await asyncio.gather(*(self.js.publish("s.big", bytes(8000) + str(i).encode()) for i in range(300)))
        ordered = await self.js.subscribe("s.>", ordered_consumer=True, idle_heartbeat=0.5)
        seqs = [(await ordered.next_msg(WAIT)).metadata.sequence.stream for _ in range(300)]
        self.assertEqual(seqs, list(range(1, 301)))

    async def test_an_ordered_consumer_survives_the_loss_of_its_consumer(self):
        await self.fill(3)
        ordered = await self.js.subscribe("s.>", ordered_consumer=True, idle_heartbeat=0.3)
        self.assertEqual([(await ordered.next_msg(WAIT)).data for _ in range(3)], [b"0", b"1", b"2"])
        name = (await self.js.consumers_info("S"))[0].name
        await self.js.delete_consumer("S", name)
        await self.js.publish("s.0", b"after")
        self.assertEqual((await ordered.next_msg(WAIT)).data, b"after")

    async def test_headers_only(self):
        await self.js.publish("s.a", b"12345", headers={"Own": "1"})
        subscription = await self.js.subscribe("s.>", headers_only=True)
        message = await subscription.next_msg(WAIT)
        self.assertEqual((message.data, message.headers["Nats-Msg-Size"], message.headers["Own"]), (b"", "5", "1"))

    async def test_pause_and_resume(self):
        await self.fill(1)
        consumer = await self.js.pull_subscribe("s.>", "c")
        until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        paused = await self.js.pause_consumer("S", "c", until.isoformat().replace("+00:00", "Z"))
        self.assertTrue(paused.paused)
        with self.assertRaises(NatsTimeout):
            await consumer.fetch(1, timeout=0.3)
        self.assertFalse((await self.js.resume_consumer("S", "c")).paused)
        self.assertEqual((await consumer.fetch(1, timeout=WAIT))[0].data, b"0")

    async def test_names_lists_and_errors(self):
        await self.js.add_consumer("S", durable_name="a", ack_policy=AckPolicy.ALL)
        await self.js.add_consumer("S", durable_name="b", metadata={"owner": "团队"})
        self.assertEqual(sorted(info.name for info in await self.js.consumers_info("S")), ["a", "b"])
        self.assertEqual((await self.js.consumer_info("S", "b")).config.metadata["owner"], "团队")
        self.assertEqual([info.config.name for info in await self.js.streams_info()], ["S"])
        self.assertEqual(await self.js.find_stream_name_by_subject("s.x"), "S")
        self.assertEqual((await self.js.account_info()).streams, 1)
        self.assertTrue(await self.js.delete_consumer("S", "a"))
        for call, code in ((self.js.consumer_info("S", "a"), 10014), (self.js.stream_info("NONE"), 10059)):
            with self.assertRaises(NotFoundError) as missing:
                await call
            self.assertEqual(missing.exception.err_code, code)


class KeyValue(BrokerTest):
    async def test_put_get_update_delete_purge(self):
        kv = await self.js.create_key_value(bucket="settings", history=5)
        self.assertEqual(await kv.put("theme", b"light"), 1)
        self.assertEqual(await kv.update("theme", b"dark", last=1), 2)
        with self.assertRaises(KeyWrongLastSequenceError):
            await kv.update("theme", b"late", last=1)
        with self.assertRaises(KeyWrongLastSequenceError):
            await kv.create("theme", b"again")
        self.assertEqual((await kv.get("theme")).value, b"dark")
        self.assertEqual((await kv.get("theme", revision=1)).value, b"light")
        self.assertEqual([entry.value for entry in await kv.history("theme")], [b"light", b"dark"])
        await kv.put("size", b"1")
        self.assertEqual(sorted(await kv.keys()), ["size", "theme"])
        await kv.delete("theme")
        with self.assertRaises(KeyNotFoundError):
            await kv.get("theme")
        self.assertEqual(await kv.create("theme", b"new"), 5)
        await kv.purge("theme")
        self.assertEqual([entry.operation for entry in await kv.history("theme")], ["PURGE"])
        await kv.delete("size")
        with self.assertRaises(NoKeysError):
            await kv.keys()
        await kv.purge_deletes(olderthan=-1)
        for key in ("theme", "never"):
            with self.assertRaises(KeyNotFoundError):
                await kv.get(key)

    async def test_watch(self):
        kv = await self.js.create_key_value(bucket="watched")
        await kv.put("a.1", b"before")
        watcher = await kv.watch("a.*")
        self.assertEqual((await watcher.updates(WAIT)).value, b"before")
        self.assertIsNone(await watcher.updates(WAIT))
        await kv.put("b.1", b"other")
        await kv.put("a.2", b"live")
        await kv.delete("a.1")
        updates = [await watcher.updates(WAIT) for _ in range(2)]
        self.assertEqual([(u.key, u.operation, u.value) for u in updates],
                         [("a.2", None, b"live"), ("a.1", "DEL", b"")])
        await watcher.stop()

    async def test_time_to_live_of_a_key_and_of_a_bucket(self):
        kv = await self.js.create_key_value(bucket="locks", limit_marker_ttl=60)
        watcher = await kv.watchall()
        self.assertIsNone(await watcher.updates(WAIT))
        await kv.create("lock", b"mine", msg_ttl=1)
        self.assertEqual((await watcher.updates(WAIT)).value, b"mine")
        self.assertEqual((await watcher.updates(WAIT)).operation, "PURGE")
        self.assertEqual(await kv.update("lock", b"theirs", last=2), 3)
        short = await self.js.create_key_value(KeyValueConfig(bucket="short", ttl=0.5))
        await short.put("k", b"v")
        status = await short.status()
        self.assertEqual((status.ttl, status.values), (0.5, 1))

        async def until_gone():
            while True:
                await short.get("k")

        with self.assertRaises(KeyNotFoundError):
            await asyncio.wait_for(until_gone(), WAIT)


class ObjectStore(BrokerTest):
    async def test_chunks_links_deletes_and_the_seal(self):
        store = await self.js.create_object_store("files")
        data = bytes(range(256)) * 2000
        info = await store.put("大文件.bin", io.BytesIO(data), ObjectMeta(
            description="chunks", headers={"Type": "raw"}, options=ObjectMetaOptions(max_chunk_size=64 * 1024)))
        self.assertEqual((info.size, info.chunks), (512000, 8))
        got = await store.get("大文件.bin")
        self.assertEqual((got.data == data, got.info.headers, got.info.digest), (True, {"Type": "raw"}, info.digest))
        await store.put("大文件.bin", b"smaller")
        self.assertEqual((await store.get("大文件.bin")).data, b"smaller")
        self.assertEqual((await store.status()).size, (await self.js.stream_info("OBJ_files")).state.bytes)
        await store.put("other", b"x")
        await store.update_meta("other", ObjectMeta(name="other", description="changed"))
        self.assertEqual((await store.get_info("other")).description, "changed")
        await store.delete("other")
        with self.assertRaises(ObjectNotFoundError):
            await store.get("other")
        self.assertEqual([entry.name for entry in await store.list(ignore_deletes=True)], ["大文件.bin"])
        await store.seal()
        self.assertTrue((await store.status()).sealed)
        with self.assertRaises(APIError) as sealed:
            await store.put("late", b"x")
        self.assertEqual(sealed.exception.err_code, 10109)

    async def test_watch(self):
        store = await self.js.create_object_store("watched")
        await store.put("first", b"1")
        watcher = await store.watch()
        self.assertEqual((await watcher.updates(WAIT)).name, "first")
        self.assertIsNone(await watcher.updates(WAIT))
        await store.put("second", b"2")
        self.assertEqual((await watcher.updates(WAIT)).name, "second")
        await store.delete("first")
        gone = await watcher.updates(WAIT)
        self.assertEqual((gone.name, gone.deleted), ("first", True))
        await watcher.stop()


class Services(BrokerTest):
    async def test_a_service_is_found_answers_and_counts(self):
        async def double(request):
            try:
                await request.respond(str(2 * int(request.data)).encode(), headers={"Unit": "n"})
            except ValueError:
                await request.respond_error("400", "no number")

        service = await nats.micro.add_service(self.nc, name="math", version="1.2.3", description="doubles",
                                               metadata={"team": "a"})
        self.addAsyncCleanup(service.stop)
        await service.add_group(name="math").add_endpoint(name="double", handler=double)
        await self.nc.flush()
        client = await self.connect()
        answer = await client.request("math.double", b"21", timeout=WAIT)
        self.assertEqual((answer.data, answer.headers["Unit"]), (b"42", "n"))
        answer = await client.request("math.double", b"x", timeout=WAIT)
        self.assertEqual((answer.headers["Nats-Service-Error-Code"], answer.headers["Nats-Service-Error"]),
                         ("400", "no number"))
        ping = json.loads((await client.request("$SRV.PING.math", timeout=WAIT)).data)
        self.assertEqual((ping["name"], ping["version"], ping["metadata"]), ("math", "1.2.3", {"team": "a"}))
        info = json.loads((await client.request(f"$SRV.INFO.math.{ping['id']}", timeout=WAIT)).data)
        self.assertEqual([endpoint["subject"] for endpoint in info["endpoints"]], ["math.double"])
        stats = json.loads((await client.request("$SRV.STATS", timeout=WAIT)).data)
        self.assertEqual(stats["endpoints"][0]["num_requests"], 2)


if __name__ == "__main__":
    unittest.main()
