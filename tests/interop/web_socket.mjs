// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a browser's WebSocket that nats.js uses, for versions of Node.js that have none of their own.
import { randomBytes } from "node:crypto";
import { request } from "node:http";

class SmallWebSocket {
  constructor(url) {
    this.bufferedAmount = 0;
    this.pending = Buffer.alloc(0);
    const target = new URL(url.replace(/^ws/, "http"));
    const call = request({
      host: target.hostname, port: target.port, path: "/", headers: {
        Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      },
    });
    call.on("upgrade", (_answer, socket, head) => {
      this.socket = socket;
      socket.on("data", (data) => this.take(data));
      socket.on("close", () => this.onclose?.({ wasClean: true, reason: "" }));
      socket.on("error", () => {});
      this.onopen?.();
      this.take(head);
    });
    call.on("response", (answer) => this.onerror?.({ message: `HTTP ${answer.statusCode}` }));
    call.on("error", (error) => this.onerror?.({ message: error.message }));
    call.end();
  }

  take(data) {
    this.pending = Buffer.concat([this.pending, data]);
    for (;;) {
      if (this.pending.length < 2) return;
      const opcode = this.pending[0] & 15;
      let size = this.pending[1];
      let at = 2;
      if (size === 126) {
        if (this.pending.length < 4) return;
        size = this.pending.readUInt16BE(2);
        at = 4;
      } else if (size === 127) {
        if (this.pending.length < 10) return;
        size = Number(this.pending.readBigUInt64BE(2));
        at = 10;
      }
      if (this.pending.length < at + size) return;
      const payload = this.pending.subarray(at, at + size);
      this.pending = this.pending.subarray(at + size);
      if (opcode === 2) this.onmessage?.({ data: Uint8Array.from(payload).buffer });
      if (opcode === 9) this.frame(10, payload);
      if (opcode === 8) this.socket.end();
    }
  }

  frame(opcode, payload) {
    const head = payload.length < 126
      ? Buffer.from([128 | opcode, 128 | payload.length])
      : payload.length < 65536
      ? Buffer.from([128 | opcode, 254, payload.length >> 8, payload.length & 255])
      : Buffer.concat([Buffer.from([128 | opcode, 255]), Buffer.alloc(8)]);
    if (payload.length >= 65536) head.writeBigUInt64BE(BigInt(payload.length), 2);
    const mask = randomBytes(4);
    const masked = Buffer.from(payload);
    for (let i = 0; i < masked.length; i++) masked[i] ^= mask[i & 3];
    this.socket.write(Buffer.concat([head, mask, masked]));
  }

  send(data) {
    this.frame(2, Buffer.from(data));
  }

  close() {
    if (this.socket && !this.socket.destroyed) {
      this.frame(8, Buffer.from([3, 232]));
      this.socket.end();
    }
  }
}

globalThis.WebSocket ??= SmallWebSocket;
