// Compiled by wasm.sh, never run: uses that pure-attest.d.mts must allow and, below each @ts-expect-error, reject.
import { PureAttest, RefusedError } from "../Verifier/pure-attest.mjs";
import { AssertionVerifier } from "../Verifier/pure-attest-assertion.mjs";
import type { AgePolicy, App, Environment, LaunchPolicy, Options, SystemPolicy, Verified, VerifiedAttestation, VerifiedReceipt } from "../Verifier/pure-attest.mjs";

declare const module: WebAssembly.Module;
declare const bytes: Uint8Array;
const buffer: ArrayBuffer = bytes.buffer;
const app = { teamID: "1234567890", bundleID: "com.example.myapp" };
const mac: App = { appID: "1234567890.com.example.myapp", platform: "macOS" };

const options: Options[] = [
  { ...app, environment: "production" },
  { ...mac, environment: "development", counterPolicy: "slidingWindow", clockSkew: 5 },
  { apps: [app, mac], environment: "production", launchPolicy: { categories: ["appStore", 3], versions: { atLeast: "2.1" } } },
  { ...app, environment: "production", launchPolicy: { versions: { oneOf: ["2.1", "2.2"] }, acceptsMissing: false } },
  { ...app, environment: "production", launchPolicy: { builds: { oneOf: [bytes, "00".repeat(32)] } } },
  { ...app, environment: "production", launchPolicy: { builds: { oneOf: [buffer], acceptsTruncated: true }, acceptsMissing: false } },
  { ...app, environment: "production", systemPolicy: { minimumVersion: "27.1", minimumMacOSVersion: "27", builds: ["24B91"] } },
  { ...app, environment: "production", systemPolicy: { acceptsPrereleases: false, acceptsUnknown: true } },
  { ...app, environment: "production", agePolicy: { maximumAttestationAge: 300, maximumKeyAge: 86_400, maximumCounterStep: 64 } },
  { apps: [{ ...mac, launchPolicy: {}, agePolicy: { maximumKeyAge: 0 } }, app], environment: "production", agePolicy: {} },
];
// @ts-expect-error: no list of builds
const builds: LaunchPolicy = { builds: { acceptsTruncated: true } };
// @ts-expect-error: a number, which 27.10 would be too
const version: SystemPolicy = { minimumVersion: 27.1 };
// @ts-expect-error: a member that no policy has
const age: AgePolicy = { maximumAge: 300 };
// @ts-expect-error: no environment
const withoutEnvironment: Options = app;
// @ts-expect-error: an environment that does not exist
const sandbox: Options = { ...app, environment: "sandbox" };
// @ts-expect-error: half an app
const half: Options = { teamID: "1234567890", environment: "production" };
// @ts-expect-error: a category that does not exist
const adHoc: Options = { ...app, environment: "production", launchPolicy: { categories: ["adHoc"] } };

const alone: AssertionVerifier = await AssertionVerifier.instantiate(module, options[0]);
const advanced: Uint8Array = alone.verifyAssertion({ assertion: bytes, clientData: bytes, challenge: null, keyRecord: buffer }).keyRecord;
// @ts-expect-error: a challenge that was forgotten
alone.verifyAssertion({ assertion: bytes, clientData: bytes, keyRecord: advanced });
// @ts-expect-error: that needs certificates
alone.verifyAttestation;
// @ts-expect-error: made by instantiate
new AssertionVerifier();

const verifier: PureAttest = await PureAttest.instantiate(module, options[0]);
try {
  const key: VerifiedAttestation = verifier.verifyAttestation({ attestation: bytes, keyID: buffer, challenge: bytes });
  verifier.verifyAttestation({ attestation: bytes, keyID: bytes, clientDataHash: bytes, now: new Date(), verifyReceipt: true });
  // @ts-expect-error: neither challenge nor hash
  verifier.verifyAttestation({ attestation: bytes, keyID: bytes });
  // @ts-expect-error: both
  verifier.verifyAttestation({ attestation: bytes, keyID: bytes, challenge: bytes, clientDataHash: bytes });
  // @ts-expect-error: text
  verifier.verifyAttestation({ attestation: "AA==", keyID: bytes, challenge: bytes });

  const object = { assertion: bytes, clientData: bytes, keyRecord: key.keyRecord };
  const signed: Verified = verifier.verifyAssertion({ ...object, challenge: bytes });
  verifier.verifyAssertion({ ...object, challenge: null, now: new Date() });
  // @ts-expect-error: a challenge that was forgotten
  verifier.verifyAssertion(object);
  // @ts-expect-error: only an attestation has one
  signed.receipt;
  // @ts-expect-error: a device before iOS 27 sends none
  const bundleVersion: string = signed.bundleVersion;
  const hashes: (Uint8Array | null | undefined)[] = [
    signed.codeDirectoryHash, signed.unverifiedCodeDirectoryHash, signed.unverifiedLaunchInformation?.codeDirectoryHash,
  ];
  const type: number | null = signed.codeDirectoryHashType;

  const receipt: VerifiedReceipt = verifier.verifyReceipt({
    receipt: key.receipt, keyRecord: key.keyRecord, now: 1_789_000_000, maximumAge: null,
  });
  // @ts-expect-error: a receipt may not say, which is not 0
  const risk: number = receipt.riskMetric;
  const kind: "attestation" | "answer" = receipt.kind;

  verifier.selfTest();
  const digest: Uint8Array = verifier.sha256(bytes);
  const isValid: boolean = verifier.verifyP256(bytes, buffer, digest) && verifier.verifyP384(bytes, buffer, digest);
  const accepted: { appIDs: string[]; environment: Environment } = verifier;
  // @ts-expect-error: it is what the instance has
  verifier.memorySize = 0;
  console.log(bundleVersion, hashes, type, builds, version, age, risk, kind, isValid, accepted, sandbox, withoutEnvironment, half, adHoc);
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  const detail: string | undefined = error.detail;
  console.log(error.code.length, detail);
}
