/** A PostgreSQL server for one test run, on a socket in its own folder (PostgreSQLServer.swift of the service's tests). */

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export class PostgreSQLServer {
  #folder = mkdtempSync(join(tmpdir(), "postgresql-"));
  #programs;
  #process;
  #schemas = 0;

  constructor(programs) {
    this.#programs = programs;
  }

  static async start(programs) {
    const server = new PostgreSQLServer(programs);
    try {
      await server.#start();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #start() {
    const data = join(this.#folder, "data");
    // PostgreSQL does not run as root. So if this process runs as root, the user postgres runs the server.
    if (process.getuid() === 0) await run("chown", ["postgres", this.#folder]);
    await run(...this.#program("initdb", ["-D", data, "-A", "trust", "-U", "postgres"]), { cwd: "/" });
    const settings = ["listen_addresses=", "max_connections=200", "fsync=off"].flatMap((setting) => ["-c", setting]);
    this.#process = spawn(...this.#program("postgres", ["-D", data, "-k", this.#folder, ...settings]), { cwd: "/", stdio: "ignore" });
    for (const end = Date.now() + 30_000;;) {
      try {
        await this.#sql("SELECT 1");
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  #program(name, parameters) {
    const path = join(this.#programs, name);
    return process.getuid() === 0 ? ["runuser", ["-u", "postgres", "--", path, ...parameters]] : [path, parameters];
  }

  #sql(statement) {
    return run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-h", this.#folder, "-U", "postgres", "-c", statement, "postgres"]);
  }

  /** Creates a schema, so that each store begins empty. */
  async newSchema() {
    const name = `s${(this.#schemas += 1)}`;
    await this.#sql(`CREATE SCHEMA ${name}`);
    return name;
  }

  options(schema) {
    return { host: this.#folder, user: "postgres", database: "postgres", options: `-c search_path=${schema}` };
  }

  async stop() {
    const ended = new Promise((resolve) => (this.#process ? this.#process.once("exit", resolve) : resolve()));
    // Sends the signal to the server process itself, because runuser does not forward signals.
    if (this.#process) process.kill(Number(readFileSync(join(this.#folder, "data", "postmaster.pid"), "utf8").split("\n")[0]), "SIGINT");
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}
