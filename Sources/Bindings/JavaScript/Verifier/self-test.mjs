/** Runs the known-answer tests of a module. */

/** The parts by number, from 1 (../Wasm/Sources/Interface/SelfTest.swift). */
const PARTS = ["generatorTableP256", "signatureP256", "generatorTableP384", "appleCertificates", "appleKeyTables"];

export class SelfTestError extends Error {
  constructor(part) {
    super(`this module computes wrong: ${part}`);
    this.name = "SelfTestError";
    this.part = part;
  }
}

/** Runs the self-test of the module with these exports: the whole test, or the parts for assertions. */
export function testModule(exports) {
  const test = exports.pure_attest_self_test ?? exports.pure_attest_self_test_assertions;
  const number = test();
  if (number !== 0) throw new SelfTestError(PARTS[number - 1] ?? "unknown");
}
