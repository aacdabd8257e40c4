/** Helpers of the sample Worker's tests: SQLite behind D1's interface, and clients that are virtual devices. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createHandler } from "../handler.mjs";
import { sqlite } from "../../../Bindings/JavaScript/Generated/statements.mjs";
import { D1Database } from "./d1.mjs";
import { Checks, compile, readJSON } from "../../../Bindings/Wasm/Test/support.mjs";
import { instantiateTrusting } from "../../../Bindings/Wasm/Test/test-roots.mjs";

export const appID = "TEST123456.com.example.app";
export const start = Date.parse("2026-09-15T12:00:00Z") / 1000;
export const clock = { now: start };
export const log = [];

const migrations = new URL("../migrations/", import.meta.url);
export const migrationFiles = readdirSync(migrations).sort().map((name) => ({
  name, statements: readFileSync(new URL(name, migrations), "utf8").split(/(?<=;)\n/).filter((statement) => statement !== ""),
}));

export async function migrate(database, files = migrationFiles) {
  for (const { statements } of files) await database.batch(statements.map((statement) => database.prepare(statement)));
  return database;
}

const [modulePath, tool] = process.argv.slice(2);
const module = compile(modulePath);
/** The tests' files; runChecks deletes them. */
export const folder = mkdtempSync(join(tmpdir(), "pure-attest-"));
const checks = new Checks();
const file = join(folder, "d1.sqlite");
// Two Workers, each with a connection to the same database.
export const database = await migrate(new D1Database(file));
export const secondDatabase = new D1Database(file);
export const env = { DB: database, SESSION_KEY: Buffer.alloc(32, 7).toString("base64"), SESSION_KEY_ID: "1" };
const paths = readJSON(new URL("../../Service/openapi.json", import.meta.url));

/** Runs the checks, and then closes all resources. `close` closes the resources of the caller. */
export async function runChecks(title, body, close = () => {}) {
  try {
    await body();
  } finally {
    close();
    database.close();
    secondDatabase.close();
    rmSync(folder, { recursive: true });
  }
  console.log(`${checks.count} checks of ${title} passed`);
}

/** Runs a check with full allowances, because the test clock does not advance. */
export const check = (name, body) => checks.run(name, async () => {
  await database.prepare("DELETE FROM allowances").run();
  clock.now = start;
  await body();
});

/**
 * Imports an entry point. `modules`, by file name, replace the files that a Worker imports. A Worker's settings never
 * change, so each value of `query` gets a separate import.
 */
export async function entryPoint(name, modules, query) {
  const source = new URL("../", import.meta.url);
  for (const file of ["verifier.mjs", name]) {
    const text = readFileSync(new URL(file, source), "utf8")
      .replace(/^import module from "\.\/(.+)";$/m, (_, wasm) => `import { readFileSync } from "node:fs";
        const module = new WebAssembly.Module(readFileSync(${JSON.stringify(resolve(modules[wasm]))}));`)
      .replace(/ from "(\.[^"]+)"/g, (whole, path) => (path === "./verifier.mjs" ? whole : ` from ${JSON.stringify(new URL(path, source).href)}`));
    writeFileSync(join(folder, file), text);
  }
  // At import, the entry point takes the console's function for its log.
  const { log: write } = console;
  console.log = (line) => log.push(JSON.parse(line));
  try {
    return (await import(`${pathToFileURL(join(folder, name))}?${query}`)).default;
  } finally {
    console.log = write;
  }
}

/** The statements of the store that are not batches. */
export const sql = Object.fromEntries(Object.entries(sqlite).map(([name, [statement]]) => [name, statement]));
export const rows = async (table) => (await database.prepare(`SELECT count(*) AS count FROM ${table}`).first()).count;
export const blob = (text) => new Uint8Array(Buffer.from(text, "base64")).buffer;
export const claimsOf = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url"));

export function simulate(seed, command, ...options) {
  execFileSync(tool, ["simulate", command, "--seed", String(seed), "--out", folder, "--app-id", appID, ...options]);
  const { attestation, keyID, assertions, testAnchor } = readJSON(
    join(folder, command === "attest" ? "attestation.json" : "assertion.json"));
  return { attestation, keyID, assertion: assertions?.[0]?.assertion, testAnchor };
}

const device = (seed) => simulate(seed, "attest", "--challenge", "text:x");
const { testAnchor } = device(1);

/** `changes` replaces exports of the WebAssembly module. */
export const verifierFor = (options = {}, anchor = testAnchor, changes = {}) =>
  instantiateTrusting(module, anchor, { appID, environment: "production", ...options }, changes);

export const handlerFor = (options, surroundings = {}, anchor = testAnchor) => createHandler(
  () => verifierFor(options, anchor), { clock: () => clock.now, log: (line) => log.push(JSON.parse(line)), ...surroundings });

/**
 * Returns a Worker that trusts the authority of the device with this seed. Each device has its own authority, but any
 * Worker can verify a registered key.
 */
export const trusting = (seed, surroundings) => handlerFor({}, surroundings, device(seed).testAnchor);

export const handler = handlerFor();

/** Fails unless the service's openapi.json describes this answer. */
function assertDescribed(method, path, status, body, headers) {
  const route = paths.paths[path]?.[method.toLowerCase()];
  if (!route) return;
  const described = route.responses[status];
  // Any route may answer 503, because the database may fail, and because the first request reads the settings. Every
  // route rejects a malformed client address.
  assert.ok(described || status === 503 || log.at(-1).reason === "malformedRequest (client address)", `${method} ${path}: ${status}`);
  if (status >= 400) {
    const { AnswerCode, Error: answer } = paths.components.schemas;
    assert.ok([...answer.properties.error.anyOf[0].enum, ...AnswerCode.enum].includes(body.error), body.error);
    assert.equal(headers.get("www-authenticate"), status === 401 ? "Bearer" : null);
    return;
  }
  // An upstream's answer has no schema.
  if (described.content?.["application/json"] && !described.content["application/json"].schema) return;
  const schema = described.content?.["application/json"].schema.$ref.split("/").at(-1);
  const { required, properties } = schema ? paths.components.schemas[schema] : { required: [], properties: {} };
  for (const name of required) assert.ok(name in body, `${path}: ${name}`);
  for (const name of Object.keys(body)) assert.ok(Object.hasOwn(properties, name), `${path}: ${name} is not declared`);
  if (described.headers) assert.equal(Buffer.from(headers.get("attest-challenge"), "base64").length, 92);
}

export async function request(method, path, body, { headers = {}, party = handler, at = env, raw } = {}) {
  const response = await party.fetch(
    new Request(`https://worker.example${path}`, {
      method, headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)), duplex: "half",
    }), at);
  const text = await response.text();
  const answer = text === "" ? {} : JSON.parse(text);
  assertDescribed(method, path.split("?")[0], response.status, answer, response.headers);
  return Object.defineProperty({ ...answer, status: response.status }, "headers", { value: response.headers });
}

export const post = (path, body, options) => request("POST", path, body, options);
export const bearer = (token) => (token ? { authorization: `Bearer ${token}` } : {});
export const open = (token, options, path = "/protected") => request("GET", path, undefined, { headers: bearer(token), ...options });

export async function challenge(purpose, keyID, options) {
  const answer = await post("/challenge", { purpose, keyID }, options);
  assert.equal(answer.status, 200);
  assert.equal(Buffer.from(answer.challenge, "base64").length, 92);
  return answer.challenge;
}

export async function attestation(seed, options) {
  const { keyID } = device(seed);
  const issued = await challenge("attestation", keyID, options);
  return { challenge: issued, keyID, attestation: simulate(seed, "attest", "--challenge", issued).attestation };
}

export const sign = (seed, keyID, issued, counter, clientData = issued) => ({
  challenge: issued, keyID, assertion: simulate(seed, "assert", "--client-data", clientData, "--counter", String(counter)).assertion,
});

/** Registers the key of the device with this seed, and returns the request. */
export async function enrolled(seed, options) {
  const made = await attestation(seed, options);
  assert.equal((await post("/attest", made, options)).status, 200);
  return made;
}

export const assertion = async (seed, keyID, counter, options) =>
  sign(seed, keyID, await challenge("assertion", keyID, options), counter);

/** Opens a session, and returns its token. */
export const sessionToken = async (seed, keyID, counter, options) =>
  (await post("/session", await assertion(seed, keyID, counter, options), options)).token;

/**
 * Independently computes SignedContent.clientData(challenge:keyID:) of a request, in the form that `simulate` expects.
 */
export function clientData(method, target, body, issued, keyID) {
  const hash = createHash("sha256").update(body).digest();
  const fields = [Buffer.from(method), Buffer.from(target), hash, Buffer.from(issued, "base64"), Buffer.from(keyID, "base64")];
  const bytes = fields.flatMap((field) => [Buffer.from([0, 0, field.length >> 8, field.length & 255]), field]);
  return `hex:${Buffer.concat([Buffer.from("PureAttest request 1\0"), ...bytes]).toString("hex")}`;
}

/** Returns the headers of a POST request that the device has signed. */
export async function signedHeaders(seed, keyID, counter, path, body, options) {
  const issued = await challenge("assertion", keyID, options);
  const signed = sign(seed, keyID, issued, counter, clientData("POST", path, body, issued, keyID));
  return { "Attest-Key": keyID, "Attest-Challenge": issued, "Attest-Assertion": signed.assertion };
}

export function is(answer, status, word, reason) {
  assert.deepEqual([answer.status, answer.error], [status, word]);
  if (reason) assert.equal(log.at(-1).reason, reason);
}
