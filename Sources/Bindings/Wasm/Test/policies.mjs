// Tests the policies of PureAttestWasm.wasm on keys that this test creates: node policies.mjs MODULE. corpus.mjs tests
// each policy on attestations.
import assert from "node:assert/strict";
import { PureAttest } from "../../JavaScript/Verifier/pure-attest.mjs";
import { Checks, codeOf, compile } from "./support.mjs";
import { MadeKey, fieldsOf, launchExtensions } from "./made.mjs";

const module = compile(process.argv[2]);
const checks = new Checks();
const check = (name, body) => checks.run(name, body);

const app = { appID: "1234567890.com.example.myapp", environment: "production" };
const other = { ...app, appID: "1234567890.com.example.other" };
const verifier = ({ apps, ...options }) =>
  PureAttest.instantiate(module, apps ? { apps, environment: app.environment, ...options } : { ...app, ...options });
const named = { appID: app.appID };
const key = new MadeKey(app);
const attestedAt = 1_789_473_600;
const record = (counter = 0, system = {}) => key.record(counter, fieldsOf({ attestedAt, ...system }));
const original = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const substituted = Buffer.alloc(32, 0xc0);
const send = (counter, hash, options) => key.assertion(counter, { extensions: launchExtensions({ hash, ...options }) });

await check("a list of builds accepts the genuine build's assertion and rejects a substituted build's", async () => {
  for (const oneOf of [[original], [original.toString("hex")], ["ff".repeat(32), original.toString("hex").toUpperCase()]]) {
    const attest = await verifier({ launchPolicy: { builds: { oneOf } } });
    const first = attest.verifyAssertion({ ...send(1, original), keyRecord: record() });
    assert.deepEqual(Buffer.from(first.codeDirectoryHash), original);
    assert.equal(first.codeDirectoryHashType, 2);
    assert.equal(first.unverifiedLaunchInformation, null);
    assert.equal(first.unverifiedCodeDirectoryHash, null);
    const second = { ...send(2, substituted), keyRecord: first.keyRecord };
    assert.equal(codeOf(() => attest.verifyAssertion(second)), "codeDirectoryHashNotAllowed");
  }
  const anyBuild = await verifier({});
  const second = anyBuild.verifyAssertion({ ...send(2, substituted), keyRecord: record() });
  assert.deepEqual(Buffer.from(second.codeDirectoryHash), substituted);
});

await check("truncated builds are accepted only by option, and missing builds by default", async () => {
  const listed = (oneOf, acceptsTruncated, acceptsMissing) =>
    verifier({ launchPolicy: { builds: { oneOf, acceptsTruncated }, acceptsMissing } });
  const codeFor = async (attest, hash, options) =>
    codeOf(() => attest.verifyAssertion({ ...send(1, hash, options), keyRecord: record() }));
  const short = original.subarray(0, 20);
  for (const [attest, hash, code, options] of [
    [await listed([original], false), short, "codeDirectoryHashNotAllowed"],
    [await listed([original], true), short, "verified"],
    [await listed([short], true), original, "verified"],
    [await listed([short], true), substituted, "codeDirectoryHashNotAllowed"],
    [await listed([original], true), original, "codeDirectoryHashNotAllowed", { type: 4 }],
    [await listed([original]), undefined, "verified"],
    [await listed([original], false, false), undefined, "codeDirectoryHashNotAllowed"],
    [await listed([original], false, false), original.subarray(0, 31), "malformedExtensions"],
  ]) {
    assert.equal(await codeFor(attest, hash, options), code);
  }
});

await check("a build that the app can forge is returned as unverified, and no list accepts it", async () => {
  const strict = await verifier({ launchPolicy: { builds: { oneOf: [original] }, acceptsMissing: false } });
  const open = await verifier({});
  const unsigned = { ...key.assertion(1, { unsigned: original.subarray(0, 20) }), keyRecord: record() };
  assert.deepEqual(Buffer.from(open.verifyAssertion(unsigned).unverifiedCodeDirectoryHash), original.subarray(0, 20));
  assert.equal(open.verifyAssertion(unsigned).codeDirectoryHash, null);
  assert.equal(open.verifyAssertion(unsigned).codeDirectoryHashType, null);
  assert.equal(codeOf(() => strict.verifyAssertion(unsigned)), "validationCategoryNotAllowed");
  const forgeable = {
    ...key.assertion(1, { extensions: launchExtensions({ hash: original }), flags: 0x40 }), keyRecord: record(),
  };
  const { codeDirectoryHash, unverifiedLaunchInformation } = open.verifyAssertion(forgeable);
  assert.equal(codeDirectoryHash, null);
  assert.deepEqual(Buffer.from(unverifiedLaunchInformation.codeDirectoryHash), original);
  assert.equal(codeOf(() => strict.verifyAssertion(forgeable)), "validationCategoryNotAllowed");
  const malformed = { ...key.assertion(1, { unsigned: original }), keyRecord: record() };
  assert.equal(codeOf(() => open.verifyAssertion(malformed)), "malformedAssertionObject");
});

await check("systems are accepted by their version, build and release type in the attestation", async () => {
  const beta = { releaseType: "Beta" };
  const mac = { platform: "macosx" };
  for (const [systemPolicy, system, code] of [
    [{ minimumVersion: "27.1" }, {}, "verified"],
    [{ minimumVersion: "27.1.1" }, {}, "systemVersionNotAllowed"],
    [{ minimumVersion: "27.10" }, {}, "systemVersionNotAllowed"],
    [{ minimumVersion: "27" }, { version: [26, 65_535, 65_535] }, "systemVersionNotAllowed"],
    [{ minimumMacOSVersion: "99" }, {}, "verified"],
    [{ minimumVersion: "99" }, mac, "verified"],
    [{ minimumMacOSVersion: "27.1.1" }, mac, "systemVersionNotAllowed"],
    [{ builds: ["24B90", "24B91"] }, {}, "verified"],
    [{ builds: ["24B9"] }, {}, "systemBuildNotAllowed"],
    [{}, beta, "verified"],
    [{ acceptsPrereleases: false }, beta, "prereleaseNotAllowed"],
    [{ acceptsPrereleases: false }, {}, "verified"],
  ]) {
    const attest = await verifier({ apps: [named, { ...named, platform: "macOS" }], systemPolicy });
    const name = JSON.stringify([systemPolicy, system]);
    const object = { ...key.assertion(1), keyRecord: record(0, system) };
    assert.equal(codeOf(() => attest.verifyAssertion(object)), code, name);
  }
  const unknown = { ...key.assertion(1), keyRecord: key.record(0) };
  for (const [systemPolicy, code] of [
    [{ minimumVersion: "14" }, "systemVersionNotAllowed"], [{ builds: ["24B91"] }, "systemBuildNotAllowed"],
  ]) {
    const [refusing, accepting] = await Promise.all(
      [false, true].map((acceptsUnknown) => verifier({ systemPolicy: { ...systemPolicy, acceptsUnknown } })));
    assert.equal(codeOf(() => refusing.verifyAssertion(unknown)), code);
    assert.equal(codeOf(() => accepting.verifyAssertion(unknown)), "verified");
  }
});

await check("keys that are too old and counters that jump are rejected", async () => {
  const aged = await verifier({ agePolicy: { maximumKeyAge: 86_400 } });
  const at = (now, keyRecord = record()) => codeOf(() => aged.verifyAssertion({ ...key.assertion(1), keyRecord, now }));
  assert.equal(at(attestedAt + 86_400), "verified");
  assert.equal(at(attestedAt + 86_401), "keyTooOld");
  assert.equal(at(new Date((attestedAt + 86_401) * 1000)), "keyTooOld");
  assert.equal(at(attestedAt, key.record(0)), "keyTooOld");
  // By default, `now` is the current time; 0 means that the caller does not know the time.
  assert.equal(at(undefined, key.record(0, fieldsOf({ attestedAt: Math.floor(Date.now() / 1000) - 86_410 }))), "keyTooOld");
  assert.equal(at(undefined, key.record(0, fieldsOf({ attestedAt: Math.floor(Date.now() / 1000) - 86_000 }))), "verified");
  assert.equal(at(0), "timeMissing");
  const stepping = await verifier({ agePolicy: { maximumCounterStep: 10 } });
  for (const [counter, code] of [[15, "verified"], [16, "counterStepTooLarge"], [4_294_967_295, "counterStepTooLarge"]]) {
    assert.equal(codeOf(() => stepping.verifyAssertion({ ...key.assertion(counter), keyRecord: record(5) })), code);
  }
});

await check("an app's own policy replaces the common policy", async () => {
  const strangers = new MadeKey(other);
  const launchPolicy = { categories: ["appStore"], builds: { oneOf: [original] } };
  const ownPolicy = { categories: ["testFlight"], builds: { oneOf: [substituted] } };
  const attest = await PureAttest.instantiate(module, {
    environment: app.environment, launchPolicy, agePolicy: { maximumCounterStep: 10 },
    apps: [{ appID: app.appID }, { appID: other.appID, launchPolicy: ownPolicy, systemPolicy: { minimumVersion: "99" } },
      { appID: `${app.appID}.x`, agePolicy: {} }],
  });
  const beta = { hash: substituted, category: 2 };
  const codeFor = (by, extensions, counter = 1) => codeOf(() => attest.verifyAssertion({
    ...by.assertion(counter, { extensions: launchExtensions(extensions) }),
    keyRecord: by.record(0, fieldsOf({ attestedAt, version: by === key ? [1, 0, 0] : [99, 0, 0] })),
  }));
  assert.equal(codeFor(key, { hash: original }), "verified");
  assert.equal(codeFor(key, beta), "validationCategoryNotAllowed");
  assert.equal(codeFor(key, { hash: substituted }), "codeDirectoryHashNotAllowed");
  assert.equal(codeFor(strangers, beta), "verified");
  // The app's own list does not contain the entries of the common list.
  assert.equal(codeFor(strangers, { hash: substituted }), "validationCategoryNotAllowed");
  assert.equal(codeFor(strangers, { hash: original, category: 2 }), "codeDirectoryHashNotAllowed");
  // A common policy applies if the app does not have its own policy of that kind.
  assert.equal(codeFor(strangers, beta, 11), "counterStepTooLarge");
  assert.equal(codeFor(key, { hash: original }, 11), "counterStepTooLarge");
  const old = { ...strangers.assertion(1, { extensions: launchExtensions(beta) }), keyRecord: strangers.record(0, fieldsOf({})) };
  assert.equal(codeOf(() => attest.verifyAssertion(old)), "systemVersionNotAllowed");
});

await check("empty and malformed policies are rejected", async () => {
  const hashes = [[], "00".repeat(32), [""], ["0".repeat(63)], ["00".repeat(31)], ["zz".repeat(32)], ["00".repeat(20)], [new Uint8Array(31)], [7], [null]];
  const limits = [-1, 1.5, NaN, Infinity, "300", null, true, 2 ** 31, 2 ** 53, 5n];
  for (const policies of [
    ...hashes.map((oneOf) => ({ launchPolicy: { builds: { oneOf } } })),
    ...[["00".repeat(32)], {}, { acceptsTruncated: true }, { oneOf: [original], any: true }, { oneOf: [original], acceptsTruncated: 1 }]
      .map((builds) => ({ launchPolicy: { builds } })),
    ...[null, "any", [], 1].flatMap((policy) => [{ launchPolicy: policy }, { systemPolicy: policy }, { agePolicy: policy }]),
    ...[27, "", "27.", ".1", "27.1.2.3", "027", "27.65536", "27.1 ", "１", "-1", "1e3", null, ["27"]]
      .flatMap((version) => [{ systemPolicy: { minimumVersion: version } }, { systemPolicy: { minimumMacOSVersion: version } }]),
    ...[[], "24B91", [""], ["x".repeat(33)], ["24B9\u0001"], ["ä"], [24]].map((builds) => ({ systemPolicy: { builds } })),
    ...["yes", 1, null].flatMap((flag) => [
      { systemPolicy: { acceptsPrereleases: flag } }, { systemPolicy: { acceptsUnknown: flag } },
      { launchPolicy: { acceptsMissing: flag } }, { launchPolicy: { believesForgeable: flag } },
    ]),
    ...limits.flatMap((limit) => [
      { agePolicy: { maximumAttestationAge: limit } }, { agePolicy: { maximumKeyAge: limit } },
      { agePolicy: { maximumCounterStep: limit } }, { clockSkew: limit },
    ]),
    { launchPolicy: { build: { oneOf: [original] } } }, { systemPolicy: { minimum: "27" } }, { agePolicy: { maximumAge: 1 } },
    { launchPolicy: { versions: {} } }, { launchPolicy: { versions: { atLeast: "1", oneOf: ["1"] } } },
    { launchPolicy: { versions: { oneOf: [1] } } }, { launchPolicy: { categories: [4.5] } }, { launchPolicy: { categories: [2 ** 32 + 4] } },
  ]) {
    const name = JSON.stringify(policies, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
    await assert.rejects(verifier(policies), TypeError, name);
    if (!policies.clockSkew) {
      const { clockSkew, ...own } = policies;
      if (clockSkew === undefined) await assert.rejects(verifier({ apps: [{ ...named, ...own }] }), TypeError, `own ${name}`);
    }
  }
});

await check("an app is named in one way", async () => {
  const { environment } = app;
  for (const beside of [named, { teamID: "1234567890" }, { bundleID: "com.example.myapp" }, { platform: "macOS" }]) {
    await assert.rejects(PureAttest.instantiate(module, { apps: [named], environment, ...beside }), TypeError);
  }
  for (const beside of [{ teamID: "1234567890" }, { bundleID: "com.example.myapp" }]) {
    await assert.rejects(PureAttest.instantiate(module, { ...app, ...beside }), TypeError);
    await assert.rejects(PureAttest.instantiate(module, { apps: [{ ...named, ...beside }], environment }), TypeError);
  }
});

await check("the module rejects numbers and bytes outside an option's range, and changes nothing", () => {
  const { exports } = new WebAssembly.Instance(module, {});
  const handle = exports.pure_attest_verifier_create(1);
  const set = (name, ...values) => exports[`pure_attest_verifier_${name}`](handle, ...values);
  const block = exports.pure_attest_allocate(64);
  new Uint8Array(exports.memory.buffer).fill(0x41, block, block + 64);
  for (const index of [0, 1, -2, 2147483647, -2147483648]) assert.equal(set("select_app", index), 254);
  assert.equal(set("select_app", -1), 0);
  assert.equal(set("add_app", block, 20, 0), 0);
  assert.equal(set("select_app", 0), 0);
  assert.equal(set("select_app", 1), 254);
  for (const name of ["accept_truncated_builds", "accept_missing", "believe_forgeable", "accept_prereleases", "accept_unknown_systems"]) {
    for (const [value, code] of [[0, 0], [1, 0], [2, 254], [-1, 254], [257, 254]]) assert.equal(set(name, value), code, name);
  }
  for (const name of ["limit_attestation_age", "limit_key_age", "limit_counter_step"]) {
    for (const [value, code] of [[0, 0], [2147483647, 0], [-1, 0], [-2, 254], [-2147483648, 254]]) assert.equal(set(name, value), code, name);
  }
  for (const [count, code] of [[32, 0], [20, 0], [0, 254], [19, 254], [21, 254], [31, 254], [33, 254], [-1, 254]]) {
    assert.equal(set("accept_build", block, count), code, String(count));
  }
  for (const [count, code] of [[1, 0], [32, 0], [0, 254], [33, 254], [-1, 254]]) assert.equal(set("accept_system_build", block, count), code);
  for (const [platform, major, minor, patch, code] of [
    [0, 27, 1, 2, 0], [1, 65_535, 0, 65_535, 0], [2, 27, 0, 0, 254], [-1, 27, 0, 0, 254], [0, -1, 0, 0, 254], [0, 65_536, 0, 0, 254],
    [0, 27, 65_536, 0, 254], [0, 27, 0, -1, 254],
  ]) {
    assert.equal(set("require_system", platform, major, minor, patch), code);
  }
  exports.pure_attest_verifier_destroy(handle);
});

console.log(`${checks.count} policy checks passed`);
