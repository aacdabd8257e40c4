// Starts each sample with the installed package: samples.mjs FOLDER D1. FOLDER contains the samples and node_modules. D1
// is the path of d1.mjs in the sample Worker. The environment variables DENO and BUN contain the paths of these
// programs, and PUREATTEST_POSTGRES_BIN contains the folder with initdb. If the program for a sample is missing, the
// script skips that sample and says so in the last line.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { PostgreSQLServer } from "./postgresql.mjs";

const [folder, d1] = process.argv.slice(2);
const { DENO, BUN, PUREATTEST_POSTGRES_BIN } = process.env;
const settings = { APP_ID: "TEST123456.com.example.app", SESSION_KEY: Buffer.alloc(32, 7).toString("base64") };
const [started, missing] = [[], []];
const keyID = Buffer.alloc(32, 1).toString("base64");

/** Gets a challenge and a verdict on it. Enrols no key, because the samples trust only Apple. */
async function converse(send, { isWhole = true, prefix = "" } = {}) {
  const headers = { "content-type": "application/json" };
  const post = (path, body) => send(`${prefix}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const issued = await post("/challenge", { purpose: "attestation", keyID });
  assert.equal(issued.status, 200);
  const { challenge } = await issued.json();
  const rejected = await post("/attest", { keyID, challenge, attestation: "AAAA" });
  assert.deepEqual([rejected.status, await rejected.json()], [401, { error: "refused" }]);
  const profile = await send("/profile", {});
  assert.deepEqual([profile.status, await profile.json()], [401, { error: "refused" }]);
  if (!isWhole) return;
  // In Node, no Request can have this target.
  assert.ok([400, 404].includes((await send("//", {})).status));
  assert.equal((await send("/other", {})).status, 404);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Runs a server, sends it requests, and ends it. */
async function serve(name, command, parameters, { environment = {}, ...options } = {}) {
  const port = await freePort();
  const child = spawn(command, parameters, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...settings, PORT: String(port), DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`, ...environment },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const send = async (path, init) => {
      for (const end = Date.now() + 60_000;;) {
        try {
          return await fetch(`http://127.0.0.1:${port}${path}`, init);
        } catch (error) {
          if (Date.now() > end || child.exitCode !== null) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    await converse(send, options);
  } finally {
    child.kill();
    await ended;
  }
  started.push(name);
}

// The Worker sample runs in Node, with the package exports for workerd, because workerd itself cannot be installed
// here.
const loading = ["--no-warnings", "--conditions=workerd", "--import", "./wasm-loader.mjs", "--input-type=module"];
execFileSync(process.execPath, [
  ...loading,
  "--eval",
  `
  import { D1Database } from ${JSON.stringify(d1)};
  import worker from "./worker.mjs";
  import assert from "node:assert/strict";
  const keyID = ${JSON.stringify(keyID)};
  const converse = ${converse.toString()};
  const env = { DB: new D1Database(), ...${JSON.stringify(settings)} };
  await converse((path, init) => worker.fetch(new Request("https://app.example" + path, init), env));
  await worker.scheduled({}, env);
  env.DB.close();
`,
], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
started.push("Worker (in Node)");

if (PUREATTEST_POSTGRES_BIN) {
  const server = await PostgreSQLServer.start(PUREATTEST_POSTGRES_BIN);
  try {
    const { host, user, database } = server.options("public");
    await serve("Node", process.execPath, ["node.mjs"], {
      environment: { DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}` },
    });
  } finally {
    await server.stop();
  }
} else {
  missing.push("Node: no PostgreSQL");
}
if (DENO) {
  const run = ["run", "--quiet", "--no-prompt", "--allow-net", "--allow-env", "--allow-read"];
  await serve("Deno", DENO, [...run, "deno.mjs"]);
  execFileSync(DENO, ["check", "--quiet", "supabase.ts"], { cwd: folder, stdio: "inherit" });
  await serve("Supabase (in Deno, with a stub of postgres.js)", DENO, [...run, "supabase.ts"], {
    isWhole: false, prefix: "/attest", environment: { SUPABASE_DB_URL: "postgresql://localhost" },
  });
} else {
  missing.push("Deno and Supabase: no Deno");
}
if (BUN) await serve("Bun", BUN, [join(folder, "bun.mjs")]);
else missing.push("Bun: no Bun");
if (missing.length > 0 && process.env.CI === "true") throw new Error(`not started: ${missing.join("; ")}`);
console.log(`samples started: ${started.join(", ")}${missing.map((text) => `; not started: ${text}`).join("")}`);
