/** A test App Store, and purchases that trust it. The command `pure-attest simulate` signs its data. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Purchases } from "../../JavaScript/RelyingParty/purchases.mjs";

export const bundleID = "com.example.app";

export class TestAppStore {
  #tool;
  #folder;
  #seed;

  /** @param {string} folder for the command's files */
  constructor(tool, folder, seed = 1) {
    [this.#tool, this.#folder, this.#seed] = [tool, folder, seed];
    this.transaction();
    const [, text] = /-----BEGIN CERTIFICATE-----([^-]+)-/.exec(this.#file("app-store-root.pem"));
    this.root = new Uint8Array(Buffer.from(text, "base64"));
  }

  /** Returns the JWS of a subscription. `time` is the signing time, one second after the payment. */
  transaction(options) {
    this.#simulate("transaction", options);
    return this.#file("transaction.jws");
  }

  notification(options) {
    this.#simulate("notification", options);
    return new TextEncoder().encode(this.#file("notification.json"));
  }

  #file(name) {
    return readFileSync(join(this.#folder, name), "utf8");
  }

  #simulate(kind, { product, original, store, appleID, refunded, fault, bundle = bundleID, time } = {}) {
    // A transaction names no Apple ID, so the command rejects the option.
    const app = { "bundle-id": bundle, "apple-id": kind === "transaction" ? undefined : appleID };
    const options = { product, "original-id": original, store, fault, ...app };
    const given = Object.entries(options).filter(([, value]) => value !== undefined).flatMap(([name, value]) => [`--${name}`, String(value)]);
    if (time !== undefined) given.push("--time", new Date(time * 1_000).toISOString().replace(".000", ""));
    if (refunded) given.push("--refunded");
    execFileSync(this.#tool, ["simulate", "transaction", "--seed", String(this.#seed), "--out", this.#folder, "--kind", kind, ...given]);
  }
}

/** Returns purchases that trust only `root`, from the compiled test module. */
export async function purchasesTrusting(module, root, options) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const block = exports.pure_attest_allocate(root.length);
  new Uint8Array(exports.memory.buffer).set(root, block);
  const create = (...settings) => exports.pure_attest_test_purchases_create(...settings, block, root.length);
  return new Purchases({ exports: { ...exports, pure_attest_purchases_create: create } }, options);
}
