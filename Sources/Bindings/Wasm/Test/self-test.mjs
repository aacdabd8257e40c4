// Tests that the self-test detects a changed bit, and passes otherwise: node self-test.mjs MODULE ASSERTION_MODULE.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { AssertionVerifier } from "../../JavaScript/Verifier/pure-attest-assertion.mjs";
import { BrokenInstanceError, PureAttest, SelfTestError } from "../../JavaScript/Verifier/pure-attest.mjs";
import { Checks } from "./support.mjs";

const [whole, alone] = process.argv.slice(2).map((path) => readFileSync(path));
const options = { appID: "1234567890.com.example.myapp", environment: "production" };
const instance = (kind, binary) => kind.instantiate(new WebAssembly.Module(binary), options);
const checks = new Checks();

/** Returns the numbers of the first list after `declaration` in a Swift file, as the module's memory contains them. */
function constants(path, declaration, size) {
  const source = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const start = source.indexOf(declaration);
  assert.ok(start >= 0, declaration);
  const list = source.slice(start + declaration.length, start + source.slice(start).search(/[\])]\n/));
  return [...list.matchAll(/0x([0-9a-f_]+)/g)].map(([, digits]) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(`0x${digits.replaceAll("_", "")}`));
    return bytes.subarray(0, size);
  });
}

/** Returns the instruction with the number as its operand: i64.const (0x42) and signed LEB128. */
function instruction(bytes) {
  let rest = BigInt.asIntN(64, bytes.readBigUInt64LE());
  const code = [0x42];
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return Buffer.from([...code, low]);
    code.push(low | 0x80);
  }
}

function placesOf(bytes, binary) {
  const places = [];
  for (let place = binary.indexOf(bytes); place >= 0; place = binary.indexOf(bytes, place + 1)) places.push(place);
  return places;
}

/** Returns how many of the changes the self-test detects. Each change flips one bit, at one or more places. */
async function found(kind, binary, changes, bit) {
  let count = 0;
  for (const places of changes) {
    const damaged = Buffer.from(binary);
    for (const place of places) damaged[place] ^= bit;
    try {
      (await instance(kind, damaged)).selfTest();
    } catch (error) {
      // The damage may also cause a trap.
      assert.ok(error instanceof SelfTestError || error instanceof WebAssembly.RuntimeError, error);
      count += 1;
    }
  }
  return count;
}

const modules = { whole: [PureAttest, whole], assertions: [AssertionVerifier, alone] };
let damages = 0;

async function checkTable(name, modulesOfIt, numbers, expected) {
  await checks.run(`one wrong bit in any of ${name} is found`, async () => {
    assert.equal(numbers.length, expected);
    for (const of of modulesOfIt) {
      const [kind, binary] = modules[of];
      const [start, ...more] = placesOf(Buffer.concat(numbers), binary);
      assert.ok(start > 0 && more.length === 0, `${of}: the table must occur exactly once`);
      const changes = numbers.map((number, index) => [start + number.length * index + (index % number.length)]);
      assert.equal(await found(kind, binary, changes, 1 << damages % 8), changes.length, of);
      damages += changes.length;
    }
  });
}

await checks.run("an unchanged module passes in less than 5 ms of CPU time and stays usable", async () => {
  for (const [of, [kind, binary]] of Object.entries(modules)) {
    const verifier = await instance(kind, binary);
    const times = [];
    for (let round = 0; round < 100; round += 1) {
      const start = process.cpuUsage();
      verifier.selfTest();
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
    }
    // The first run executes unoptimised code, so it is reported separately. The minimum of the later runs is reported,
    // because other processes can only add time.
    const least = Math.min(...times);
    console.log(`self-test, ${of}: ${times[0].toFixed(2)} ms of CPU time in the first run, ${least.toFixed(2)} ms in the fastest`);
    assert.ok(least < 5, `${least} ms`);
    assert.equal(verifier.isBroken, false);
    assert.equal(verifier.sha256(new Uint8Array()).length, 32);
  }
});

const both = ["whole", "assertions"];
const generated = "PureECDSA/Generated";
await checkTable("SHA-256's round constants", both, constants("PureSHA2/SHA256State.swift", "roundConstants: InlineArray<64, UInt32> = [", 4), 64);
await checkTable("SHA-384's round constants", ["whole"], constants("PureSHA2/SHA512State.swift", "roundConstants: InlineArray<80, UInt64> = [", 8), 80);
await checkTable("the numbers of P-256's generator table", both, constants(`${generated}/P256GeneratorTable.swift`, "part0: InlineArray<64, UInt64> = [", 8), 64);
await checkTable("the numbers of P-384's generator table", ["whole"], constants(`${generated}/P384GeneratorTable.swift`, "part0: InlineArray<96, UInt64> = [", 8), 96);

// The compiler embeds these constants in instructions, at several places. The test omits words with a short encoding,
// such as 0 and −1, because other constants contain such words too.
for (const [path, declaration, modulesOfIt, expected] of [
  ["PureECDSA/Curve/P256Curve.swift", "static var b: Field {\n        Field(", both, 4],
  ["PureECDSA/Field/P256Scalar.swift", "static var order: InlineArray<4, UInt64> {\n        [", both, 2],
  ["PureECDSA/Curve/P384Curve.swift", "static var b: Field {\n        Field(", ["whole"], 6],
  ["PureECDSA/Field/P384Scalar.swift", "static var order: InlineArray<6, UInt64> {\n        [\n", ["whole"], 3],
]) {
  await checks.run(`one wrong bit in a curve parameter of ${path} is found`, async () => {
    const operands = constants(path, declaration, 8).map(instruction).filter(({ length }) => length >= 10);
    assert.equal(operands.length, expected);
    for (const of of modulesOfIt) {
      const [kind, binary] = modules[of];
      const changes = operands.map((operand) => placesOf(operand, binary).map((place) => place + 2));
      assert.ok(changes.every(({ length }) => length > 0), of);
      assert.equal(await found(kind, binary, changes, 1 << damages % 7), changes.length, of);
      damages += changes.length;
    }
  });
}

await checks.run("a failure names the part, and the instance rejects further calls", async () => {
  const [first] = constants(`${generated}/P256GeneratorTable.swift`, "part0: InlineArray<64, UInt64> = [", 8);
  for (const [kind, binary] of Object.values(modules)) {
    const damaged = Buffer.from(binary);
    damaged[binary.indexOf(first)] ^= 1;
    const verifier = await instance(kind, damaged);
    assert.throws(() => verifier.selfTest(), { name: "SelfTestError", part: "generatorTableP256" });
    assert.equal(verifier.isBroken, true);
    assert.throws(() => verifier.sha256(new Uint8Array()), BrokenInstanceError);
  }
});

console.log(`${checks.count} checks of the self-test passed: it found each of ${damages} changed bits`);
