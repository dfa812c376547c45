// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the broker binary of this build (JETGLASS_SERVER) in a directory of its own and stops it again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export class Broker {
  /** `config`: the text of a configuration file. */
  static async start(config = "") {
    const broker = new Broker();
    broker.dir = await mkdtemp(join(tmpdir(), "jetglass-interop-"));
    broker.config = [];
    if (config) {
      broker.config = ["-c", join(broker.dir, "server.conf")];
      await writeFile(broker.config[1], config);
    }
    await broker.run("-1");
    return broker;
  }

  async run(port) {
    const binary = process.env.JETGLASS_SERVER;
    if (!binary) throw new Error("JETGLASS_SERVER must name the broker binary");
    const args = ["-js", "-a", "127.0.0.1", "-p", port, "-sd", this.dir, "--ports_file_dir", this.dir,
      ...this.config];
    this.process = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"] });
    this.log = "";
    this.process.stderr.on("data", (data) => (this.log += data));
    this.exited = once(this.process, "exit");
    const file = join(this.dir, `${basename(binary)}_${this.process.pid}.ports`);
    const until = Date.now() + 10_000;
    for (;;) {
      try {
        const ports = JSON.parse(await readFile(file, "utf8"));
        this.url = ports.nats[0];
        this.webSocketUrl = ports.websocket?.[0];
        this.port = new URL(this.url).port;
        return;
      } catch {
        if (this.process.exitCode !== null || Date.now() > until) {
          throw new Error(`the broker did not come up:\n${this.log}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  /** Ends the process and starts it again on the same port and store. */
  async restart(signal = "SIGKILL") {
    this.process.kill(signal);
    await this.exited;
    await this.run(this.port);
  }

  async stop() {
    this.process.kill("SIGTERM");
    await this.exited;
    await rm(this.dir, { recursive: true, force: true });
  }
}
