/** Known answers of a module, and what is thrown where it has others. */

/** In the order of the numbers, from 1 (Sources/Interface/SelfTest.swift). */
const PARTS = ["generatorTableP256", "signatureP256", "generatorTableP384", "appleCertificates", "appleKeyTables"];

export class SelfTestError extends Error {
  constructor(part) {
    super(`this module computes wrong: ${part}`);
    this.name = "SelfTestError";
    this.part = part;
  }
}

/** Has the module with these exports test what it has: the whole, or what assertions use. */
export function testModule(exports) {
  const test = exports.pure_attest_self_test ?? exports.pure_attest_self_test_assertions;
  const number = test();
  if (number !== 0) throw new SelfTestError(PARTS[number - 1] ?? "unknown");
}
