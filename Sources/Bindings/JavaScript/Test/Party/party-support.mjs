/**
 * Helpers of the relying party's tests, which run in Node, Deno and Bun: virtual devices, and parties that trust them.
 * The modules under test are arguments, so that one suite tests the sources and the packed package.
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const appID = "TEST123456.com.example.app";
export const start = Date.parse("2026-09-15T12:00:00Z") / 1000;
export const sessionKeys = [{ id: "1", secret: new Uint8Array(32).fill(7) }];
export const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
export const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** Returns the client data of a signed request (SignedContent), built independently of the package. */
export function signedBytes(method, target, body, challenge, keyID) {
  const hash = createHash("sha256").update(body).digest();
  const fields = [method, target, hash, challenge, keyID].map((field) => Buffer.from(field));
  const framed = fields.flatMap((field) => [Buffer.from([0, 0, field.length >> 8, field.length & 255]), field]);
  return Buffer.concat([Buffer.from("PureAttest request 1\0"), ...framed]);
}

/** Returns a verifier that trusts only an anchor's roots (in Base64), from a compiled test module. */
export async function verifierTrusting(module, PureAttest, anchor, options, wrap = (exports) => exports) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const copy = (bytes) => {
    const block = exports.pure_attest_allocate(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, block);
    return [block, bytes.length];
  };
  const pure_attest_verifier_create = (number) => {
    const verifier = exports.pure_attest_verifier_create(number);
    const roots = [anchor.attestationRoot, anchor.receiptRoot].flatMap((root) => copy(bytesOf(root)));
    assert.equal(exports.pure_attest_test_trust_roots(verifier, ...roots), 0);
    return verifier;
  };
  return new PureAttest({ exports: wrap({ ...exports, pure_attest_verifier_create }) }, options);
}

/** The environment of a test run: `library` has the modules' exports, and `module` is the compiled test module. */
export class Bench {
  count = 0;
  now = start;
  folder = mkdtempSync(join(tmpdir(), "party-"));

  constructor(library, module, tool) {
    Object.assign(this, { library, module, tool });
    this.device = new Device(this, 1);
  }

  close() {
    rmSync(this.folder, { recursive: true });
  }

  async check(name, body) {
    this.now = start;
    try {
      await body();
    } catch (error) {
      console.error(`failed: ${name}`);
      throw error;
    }
    this.count += 1;
  }

  /** Returns a verifier that trusts a device's authority; `wrap` may replace exports. */
  verifier({ device = this.device, environment = "production", app = appID, wrap, ...options } = {}) {
    return verifierTrusting(this.module, this.library.PureAttest, device.anchor, { appID: app, environment, ...options }, wrap);
  }

  async party(store, { verifier = {}, ...options } = {}) {
    const { RelyingParty, MemoryLimits } = this.library;
    const defaults = { store, limits: new MemoryLimits(), clock: () => this.now, sessionKeys };
    return new RelyingParty(await this.verifier(verifier), { ...defaults, ...options });
  }

  /** Returns the reason of a rejection, or "accepted". Other errors fail. */
  async outcome(promise) {
    try {
      await promise;
      return "accepted";
    } catch (error) {
      if (!(error instanceof this.library.Refusal)) throw error;
      return error.reason;
    }
  }

  async refusal(promise) {
    const error = await promise.then(() => assert.fail("accepted"), (error) => error);
    assert.ok(error instanceof this.library.Refusal, String(error));
    return error;
  }

  async register(party, { device = this.device, account } = {}) {
    const { keyID } = device;
    const { challenge } = await party.issueChallenge({ purpose: "attestation", keyID, account });
    return party.register({ attestation: device.attest(challenge), keyID, challenge, account });
  }

  /** Returns the arguments of `authenticate`. */
  async assertion(party, counter, { device = this.device, account, request } = {}) {
    const { keyID } = device;
    const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID, account });
    const clientData = request ? signedBytes(request.method, request.target, request.body, challenge, keyID) : challenge;
    return { assertion: device.assert(clientData, counter), keyID, challenge, ...(request && { request }), ...(account && { account }) };
  }
}

/** A virtual device that the command `pure-attest simulate` creates from a seed. */
export class Device {
  #bench;
  #seed;

  constructor(bench, seed) {
    this.#bench = bench;
    this.#seed = seed;
    const { keyID, testAnchor } = this.#simulate("x", "attest", "--challenge", "@-");
    this.keyID = bytesOf(keyID);
    this.anchor = testAnchor;
  }

  attest(challenge) {
    return bytesOf(this.#simulate(challenge, "attest", "--challenge", "@-").attestation);
  }

  assert(clientData, counter) {
    return bytesOf(this.#simulate(clientData, "assert", "--client-data", "@-", "--counter", String(counter)).assertions[0].assertion);
  }

  /** `input` is the standard input, which the option value `@-` names: as an argument, it could be too long. */
  #simulate(input, command, ...options) {
    const { tool, folder } = this.#bench;
    execFileSync(tool, ["simulate", command, "--seed", String(this.#seed), "--out", folder, "--app-id", appID, ...options], { input });
    return JSON.parse(readFileSync(join(folder, command === "attest" ? "attestation.json" : "assertion.json"), "utf8"));
  }
}

/** Counts the calls of a store, and throws `error` at call number `failing`. */
export class FailingStore {
  calls = 0;
  failing = Infinity;
  error = new Error("the store is out of order");

  constructor(store) {
    this.store = store;
  }

  failAt(number) {
    this.calls = 0;
    this.failing = number;
  }

  async rows(operation, parameters) {
    this.calls += 1;
    if (this.calls === this.failing) throw this.error;
    return this.store.rows(operation, parameters);
  }
}
