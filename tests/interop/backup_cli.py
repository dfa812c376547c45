#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups with the nats command line: from Jetglass to Jetglass, and where nats-server is there, both ways.

    backup_cli.py JETGLASS_SERVER NATS [NATS_SERVER]

What a stream holds (sequences, subjects, times, headers, payloads, gaps) and where its consumers stand must be the same
afterwards.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

DIRECTORIES = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, program):
        self.port = free_port()
        self.store = tempfile.mkdtemp(prefix="backup")
        DIRECTORIES.append(self.store)
        self.process = subprocess.Popen(
            [program, "-js", "-a", "127.0.0.1", "-p", str(self.port), "-sd", self.store],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit(f"{program} does not come up")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)

    def nats(self, *arguments, expect=0):
        home = os.path.join(self.store, "home")
        environment = {"PATH": os.environ["PATH"], "HOME": home, "XDG_CONFIG_HOME": home, "NO_COLOR": "1",
                       "NATS_URL": f"nats://127.0.0.1:{self.port}"}
        done = subprocess.run([NATS, *arguments], capture_output=True, text=True, timeout=60, env=environment,
                              stdin=subprocess.DEVNULL)
        if done.returncode != expect:
            raise SystemExit(f"nats {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def request(self, subject, body=""):
        return json.loads(self.nats("request", "--raw", subject, body))

    def contents(self):
        """All that a backup must keep."""
        state = self.request("$JS.API.STREAM.INFO.S", '{"deleted_details":true}')["state"]
        state.pop("last_ts")  # a deleted last message takes its time along
        messages = []
        for seq in range(state["first_seq"], state["last_seq"] + 1):
            answer = self.request("$JS.API.STREAM.MSG.GET.S", json.dumps({"seq": seq}))
            messages.append(answer.get("message") or answer["error"]["err_code"])
        consumers = []
        for name in self.request("$JS.API.CONSUMER.NAMES.S")["consumers"]:
            info = self.request(f"$JS.API.CONSUMER.INFO.S.{name}")
            config = {k: v for k, v in info["config"].items() if k != "metadata"}
            consumers.append([name, config] + [
                {k: v for k, v in info[part].items() if k != "last_active"} if isinstance(info[part], dict)
                else info[part]
                for part in ("delivered", "ack_floor", "num_ack_pending", "num_redelivered", "num_pending")])
        return {"state": state, "messages": messages, "consumers": sorted(consumers)}


def fill(server):
    server.nats("stream", "add", "S", "--subjects", "s.>", "--defaults", "--storage", "file")
    for number in range(1, 31):
        header = ["-H", f"Number:{number}"] if number % 3 == 0 else []
        server.nats("pub", f"s.{number % 4}", "payload " * number, *header)
    server.nats("pub", "s.large", os.urandom(60000).hex())
    server.nats("pub", "s.last", "last")
    for seq in (1, 7, 8, 32):
        server.nats("stream", "rmm", "S", str(seq), "-f")
    server.nats("consumer", "add", "S", "C", "--pull", "--ack", "explicit", "--wait", "1h", "--filter", "s.1",
                "--defaults")
    server.nats("consumer", "add", "S", "D", "--pull", "--ack", "all", "--deliver", "10", "--defaults")
    server.nats("consumer", "next", "S", "C", "--count", "2")
    server.nats("consumer", "next", "S", "C", "--no-ack")
    server.nats("consumer", "next", "S", "D", "--count", "4")


def carry(source, target, memory=False):
    """A backup of one server into another; what was there must be there again."""
    one, two = Server(source), Server(target)
    folder = os.path.join(one.store, "backup")
    try:
        fill(one)
        before = one.contents()
        one.nats("stream", "backup", "S", folder, "--no-progress", "--consumers", "--check")
        two.nats("stream", "restore", folder, "--no-progress")
        after = two.contents()
        if before != after:
            for part in before:
                if before[part] != after[part]:
                    print(f"{part}:\n  {before[part]}\n  {after[part]}"[:4000])
            raise SystemExit(f"{source} to {target}: not the same")
        two.nats("stream", "restore", folder, "--no-progress", expect=1)
        two.nats("stream", "rm", "S", "-f")
        data = next(os.path.join(folder, name) for name in os.listdir(folder) if not name.endswith(".json"))
        with open(data, "r+b") as file:
            file.truncate(os.path.getsize(data) - 20)
        two.nats("stream", "restore", folder, "--no-progress", expect=1)
        print(f"ok: {os.path.basename(source)} to {os.path.basename(target)}")
    finally:
        one.stop()
        two.stop()


def main():
    global NATS
    jetglass, NATS = sys.argv[1:3]
    others = [name for name in sys.argv[3:] if name]
    try:
        carry(jetglass, jetglass)
        for other in others:
            carry(jetglass, other)
            carry(other, jetglass)
    finally:
        for directory in DIRECTORIES:
            shutil.rmtree(directory, ignore_errors=True)


main()
