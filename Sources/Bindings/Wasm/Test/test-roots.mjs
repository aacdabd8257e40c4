/** Creates verifiers that trust a virtual device: calls the test module's additional export on each new verifier. */

import { PureAttest } from "../../JavaScript/Verifier/pure-attest.mjs";
import { base64 } from "./support.mjs";

/** `changes`: exports to replace. */
export async function instantiateTrusting(module, { attestationRoot, receiptRoot }, options, changes) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const copy = (bytes) => {
    const block = exports.pure_attest_allocate(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, block);
    return [block, bytes.length];
  };
  const create = (environment) => {
    const verifier = exports.pure_attest_verifier_create(environment);
    const roots = [attestationRoot, receiptRoot].flatMap((root) => copy(base64(root)));
    if (exports.pure_attest_test_trust_roots(verifier, ...roots) !== 0) throw new Error("the module rejects the test roots");
    return verifier;
  };
  return new PureAttest({ exports: { ...exports, pure_attest_verifier_create: create, ...changes } }, options);
}
