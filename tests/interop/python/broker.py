# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the broker binary of this build (JETGLASS_SERVER) in a directory of its own and stops it again."""
import asyncio
import os
import re
import shutil
import signal
import tempfile
import unittest

import nats

LISTENS = re.compile(r"Listening for client connections on .*:(\d+)")
READY_SECONDS = 20


class Broker:
    def __init__(self):
        self.store = tempfile.mkdtemp(prefix="jetglass-interop-")
        self.port = -1
        self.log = []

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            os.environ["JETGLASS_SERVER"], "-js", "-a", "127.0.0.1", "-p", str(self.port), "-sd", self.store,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE)
        try:
            await asyncio.wait_for(self._until_ready(), READY_SECONDS)
        except (EOFError, asyncio.TimeoutError) as error:
            raise AssertionError("the broker did not come up:\n" + "".join(self.log)) from error
        # The pipe is read on, or a chatty broker would block in the end.
        self.reader = asyncio.ensure_future(self._keep_reading())

    async def _line(self):
        line = (await self.process.stderr.readline()).decode(errors="replace")
        if not line:
            raise EOFError
        self.log.append(line)
        return line

    async def _until_ready(self):
        while True:
            line = await self._line()
            if found := LISTENS.search(line):
                self.port = int(found[1])
            if "Server is ready" in line:
                return

    async def _keep_reading(self):
        try:
            while True:
                await self._line()
        except EOFError:
            pass

    async def _end(self, number):
        self.process.send_signal(number)
        await self.process.wait()
        await self.reader

    async def restart(self, number=signal.SIGKILL):
        """Ends the process and starts it again on the same port and store."""
        await self._end(number)
        await self.start()

    async def stop(self):
        await self._end(signal.SIGTERM)
        shutil.rmtree(self.store, ignore_errors=True)


class BrokerTest(unittest.IsolatedAsyncioTestCase):
    """Each test has a broker of its own and one connection to it."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest turns it on; it makes all this many times slower
        self.broker = Broker()
        await self.broker.start()
        self.addAsyncCleanup(self.broker.stop)
        self.nc = await self.connect()
        self.js = self.nc.jetstream()

    async def connect(self, **options):
        options.setdefault("allow_reconnect", False)
        connection = await nats.connect(self.broker.url, **options)
        self.addAsyncCleanup(connection.close)
        return connection
