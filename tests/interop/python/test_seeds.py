# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documents that Jetglass started from show in Python, and the delivery promises they make, with nats-py.

Their demonstration plays a stream and a consumer in memory: a message id seen before is a duplicate, what was not
acknowledged is delivered again, an acknowledgement moves the consumer on. Here the broker does it.
"""
import asyncio
import unittest

from broker import BrokerTest
from nats.errors import TimeoutError as NatsTimeout
from nats.js.api import (AckPolicy, ConsumerConfig, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType,
                         StreamConfig, StreamSource)
from nats.js.errors import APIError, BadRequestError

MSG_ID = "Nats-Msg-Id"


class Demonstration(BrokerTest):
    async def test_duplicate_redelivery_and_progress(self):
        await self.js.add_stream(name="DEMO", subjects=["demo.>"], duplicate_window=1)
        printed = []
        first = await self.js.publish("demo.a", b"hello", headers={MSG_ID: "m1"})
        again = await self.js.publish("demo.a", b"hello-again", headers={MSG_ID: "m1"})
        printed.append("duplicate" if again.duplicate else again.seq)
        await self.js.publish("demo.a", b"jetstream", headers={MSG_ID: "m2"})
        consumer = await self.js.pull_subscribe("demo.>", "worker", config=ConsumerConfig(ack_wait=2,
                                                                                         max_ack_pending=1))
        for _ in range(2):  # the second time because nobody acknowledged the first
            message, = await consumer.fetch(1, timeout=5)
            printed.append((message.metadata.sequence.stream, message.metadata.num_delivered, message.data))
        await message.ack_sync()
        message, = await consumer.fetch(1, timeout=5)
        printed.append((message.metadata.sequence.stream, message.metadata.num_delivered, message.data))
        self.assertEqual(first.seq, 1)
        self.assertEqual(printed, ["duplicate", (1, 1, b"hello"), (1, 2, b"hello"), (2, 1, b"jetstream")])

    async def test_after_the_window_an_id_is_new_again(self):
        await self.js.add_stream(name="DEMO", subjects=["demo.>"], duplicate_window=1)
        seqs = {}

        async def publish_until_stored_again():
            duplicate = True
            while duplicate or len(seqs) < 2:
                ack = await self.js.publish("demo.a", b"x", headers={MSG_ID: "m1"})
                duplicate = bool(ack.duplicate)
                seqs.setdefault((ack.seq, duplicate), ack)

        await asyncio.wait_for(publish_until_stored_again(), 10)
        self.assertEqual(list(seqs), [(1, False), (1, True), (2, False)])


class Delivery(BrokerTest):
    async def test_core_is_at_most_once_and_a_stream_keeps(self):
        await self.nc.publish("lost.event", b"nobody listens")
        late = await self.nc.subscribe("lost.event")
        await self.nc.flush()
        await self.js.add_stream(name="EVENTS", subjects=["events.*"])
        await self.js.publish("events.user", b"kept")
        consumer = await self.js.pull_subscribe("events.*", "late")
        message, = await consumer.fetch(1, timeout=5)
        self.assertEqual(message.data, b"kept")
        self.assertEqual(late.pending_msgs, 0)

    async def test_positions_of_several_consumers_are_their_own(self):
        await self.js.add_stream(name="ORDERS", subjects=["orders.*"])
        for number in range(1, 7):
            await self.js.publish("orders.created" if number % 2 else "orders.paid", str(number).encode())
        middle = (await self.js.get_msg("ORDERS", 4)).time
        starts = {
            "all": (ConsumerConfig(deliver_policy=DeliverPolicy.ALL), [1, 2, 3, 4, 5, 6]),
            "last": (ConsumerConfig(deliver_policy=DeliverPolicy.LAST), [6]),
            "seq": (ConsumerConfig(deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=5), [5, 6]),
            "time": (ConsumerConfig(deliver_policy=DeliverPolicy.BY_START_TIME, opt_start_time=middle), [4, 5, 6]),
            "latest-each": (ConsumerConfig(deliver_policy=DeliverPolicy.LAST_PER_SUBJECT), [5, 6]),
        }
        for name, (config, expected) in starts.items():
            with self.subTest(name):
                consumer = await self.js.pull_subscribe("orders.*", name, config=config)
                got = await consumer.fetch(len(expected), timeout=5)
                self.assertEqual([m.metadata.sequence.stream for m in got], expected)
                self.assertEqual(got[-1].metadata.num_pending, 0)

    async def test_a_message_is_given_up_after_max_deliver_with_a_word(self):
        await self.js.add_stream(name="ORDERS", subjects=["orders.*"])
        advisories = await self.nc.subscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.ORDERS.poison")
        consumer = await self.js.pull_subscribe("orders.*", "poison", config=ConsumerConfig(max_deliver=2))
        await self.js.publish("orders.bad", b"poison")
        for delivery in (1, 2):
            message, = await consumer.fetch(1, timeout=5)
            self.assertEqual(message.metadata.num_delivered, delivery)
            await message.nak()
        # The broker says so when it would deliver the message again: somebody has to ask for one.
        asking = asyncio.ensure_future(consumer.fetch(1, timeout=10))
        self.assertIn(b'"deliveries":2', (await advisories.next_msg(5)).data)
        asking.cancel()
        self.assertEqual((await self.js.stream_info("ORDERS")).state.messages, 1)

    async def test_ack_none_ack_all_ack_explicit(self):
        await self.js.add_stream(name="ORDERS", subjects=["orders.*"])
        for number in range(5):
            await self.js.publish("orders.created", str(number).encode())
        pending = {}
        for policy in (AckPolicy.NONE, AckPolicy.ALL, AckPolicy.EXPLICIT):
            consumer = await self.js.pull_subscribe("orders.*", policy.value, config=ConsumerConfig(ack_policy=policy))
            got = await consumer.fetch(5, timeout=5)
            if policy != AckPolicy.NONE:
                await got[3].ack_sync()
            info = await consumer.consumer_info()
            pending[policy] = (info.num_ack_pending, info.ack_floor.stream_seq)
        self.assertEqual(pending, {AckPolicy.NONE: (0, 5), AckPolicy.ALL: (1, 4), AckPolicy.EXPLICIT: (4, 0)})


class Retention(BrokerTest):
    async def test_a_work_queue_gives_each_task_once_and_refuses_when_full(self):
        await self.js.add_stream(name="BACKGROUND-TASKS", description="后台任务队列", max_msgs=3, max_age=24 * 3600,
                                 subjects=["tasks.email", "tasks.sms", "tasks.push"],
                                 retention=RetentionPolicy.WORK_QUEUE, discard=DiscardPolicy.NEW)
        for kind in ("email", "sms", "push"):
            await self.js.publish(f"tasks.{kind}", kind.encode())
        with self.assertRaises(APIError) as refused:
            await self.js.publish("tasks.email", b"one too many")
        self.assertEqual(refused.exception.err_code, 10077)
        one = await self.js.pull_subscribe("tasks.*", "workers", stream="BACKGROUND-TASKS")
        two = await self.js.pull_subscribe_bind("workers", "BACKGROUND-TASKS")
        done = []
        for worker in (one, two, one):
            message, = await worker.fetch(1, timeout=5)
            await message.ack_sync()
            done.append(message.data)
        self.assertEqual(done, [b"email", b"sms", b"push"])
        self.assertEqual((await self.js.stream_info("BACKGROUND-TASKS")).state.messages, 0)
        with self.assertRaises(BadRequestError) as second:
            await self.js.add_consumer("BACKGROUND-TASKS", durable_name="second")
        self.assertEqual(second.exception.err_code, 10099)

    async def test_interest_keeps_until_everybody_is_done(self):
        await self.js.add_stream(name="NOTIFICATIONS", subjects=["notify.>"], retention=RetentionPolicy.INTEREST)
        await self.js.publish("notify.none", b"nobody is interested")
        self.assertEqual((await self.js.stream_info("NOTIFICATIONS")).state.messages, 0)
        consumers = [await self.js.pull_subscribe("notify.>", name) for name in "AB"]
        await self.js.publish("notify.user", b"both")
        for consumer, left in zip(consumers, (1, 0)):
            message, = await consumer.fetch(1, timeout=5)
            await message.ack_sync()
            self.assertEqual((await self.js.stream_info("NOTIFICATIONS")).state.messages, left)

    async def test_the_latest_status_of_each_device(self):
        await self.js.add_stream(name="DEVICE-STATUS", subjects=["device.*.status"], max_msgs_per_subject=1,
                                 allow_direct=True, duplicate_window=30, max_age=7 * 24 * 3600)
        for device, status in (("a", "online"), ("b", "online"), ("a", "offline")):
            await self.js.publish(f"device.{device}.status", status.encode())
        latest = {}
        for device in "ab":
            message = await self.js.get_msg("DEVICE-STATUS", subject=f"device.{device}.status", direct=True)
            latest[device] = (message.seq, message.data)
        self.assertEqual(latest, {"a": (3, b"offline"), "b": (2, b"online")})
        self.assertEqual((await self.js.stream_info("DEVICE-STATUS")).state.messages, 2)

    async def test_what_may_not_be_deleted(self):
        for name, subject, more in (("AUDIT-EVENTS", "audit.>", {}),
                                    ("COMPLIANCE-LOG", "compliance.>", {"max_age": 7 * 365 * 24 * 3600})):
            config = StreamConfig(name=name, subjects=[subject], deny_delete=True, deny_purge=True,
                                  storage=StorageType.FILE, compression="s2", max_msg_size=64 * 1024, **more)
            await self.js.add_stream(config)
            await self.js.publish(subject.replace(">", "login"), b"{}")
            with self.assertRaises(APIError) as delete:
                await self.js.delete_msg(name, 1)
            with self.assertRaises(APIError) as purge:
                await self.js.purge_stream(name)
            self.assertEqual((delete.exception.err_code, purge.exception.err_code), (10057, 10110))
            with self.assertRaises(APIError) as change:
                await self.js.update_stream(name=name, subjects=[subject], deny_delete=False, deny_purge=True)
            self.assertEqual(change.exception.err_code, 10052)

    async def test_a_mirror_follows_and_a_source_gathers(self):
        for region in ("US", "EU", "APAC"):
            await self.js.add_stream(name=f"ORDERS-{region}", subjects=[f"orders.{region.lower()}.>"])
        await self.js.add_stream(name="ORDERS-GLOBAL", sources=[
            StreamSource(name=f"ORDERS-{region}", filter_subject=f"orders.{region.lower()}.>")
            for region in ("US", "EU", "APAC")])
        await self.js.add_stream(name="ORDERS-BACKUP", mirror=StreamSource(name="ORDERS-US"), storage=StorageType.FILE)
        gathered = await self.js.pull_subscribe("orders.>", "gathered", stream="ORDERS-GLOBAL")
        mirrored = await self.js.pull_subscribe("orders.>", "mirrored", stream="ORDERS-BACKUP")
        for number in range(9):
            await self.js.publish(f"orders.{('us', 'eu', 'apac')[number % 3]}.created", str(number).encode())
        got = []
        while len(got) < 9:
            got += await gathered.fetch(9 - len(got), timeout=10)
        self.assertEqual(sorted(m.data for m in got), [str(n).encode() for n in range(9)])
        copies = []
        while len(copies) < 3:
            copies += await mirrored.fetch(3 - len(copies), timeout=10)
        self.assertEqual([(m.metadata.sequence.stream, m.data) for m in copies], [(1, b"0"), (2, b"3"), (3, b"6")])


class Crash(BrokerTest):
    async def test_kill_9_loses_nothing_acknowledged(self):
        await self.js.add_stream(name="ORDERS", subjects=["orders.*"])
        for number in range(10):
            await self.js.publish("orders.created", str(number).encode(), headers={MSG_ID: f"order-{number}"})
        consumer = await self.js.pull_subscribe("orders.*", "keeper")
        for message in await consumer.fetch(4, timeout=5):
            await message.ack_sync()
        await self.broker.restart()
        js = (await self.connect()).jetstream()
        again = await js.publish("orders.created", b"retry", headers={MSG_ID: "order-9"})
        self.assertEqual((again.duplicate, again.seq), (True, 10))
        consumer = await js.pull_subscribe_bind("keeper", "ORDERS")
        rest = await consumer.fetch(6, timeout=5)
        self.assertEqual([m.metadata.sequence.stream for m in rest], [5, 6, 7, 8, 9, 10])

    async def test_a_client_finds_back_by_itself(self):
        back = asyncio.Event()

        async def reconnected():
            back.set()

        nc = await self.connect(allow_reconnect=True, reconnect_time_wait=0.05, max_reconnect_attempts=-1,
                                reconnected_cb=reconnected)
        got = asyncio.Queue()

        async def take(message):
            await got.put(message.data)

        await nc.subscribe("after", cb=take)
        await self.broker.restart()
        await asyncio.wait_for(back.wait(), 20)
        await nc.publish("after", b"still subscribed")
        self.assertEqual(await asyncio.wait_for(got.get(), 5), b"still subscribed")
        with self.assertRaises(NatsTimeout):
            await (await nc.subscribe("nothing")).next_msg(0.05)


if __name__ == "__main__":
    unittest.main()
