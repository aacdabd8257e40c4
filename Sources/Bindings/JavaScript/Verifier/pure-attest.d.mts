/** App Attest verification in WebAssembly. */

export type Bytes = Uint8Array | ArrayBuffer;
/** Seconds since 1970, or a Date; up to the year 9999. Milliseconds exceed this range and cause a `TypeError`. */
export type Time = number | Date;
export type Environment = "production" | "development";
export type Category =
  | "platform" | "testFlight" | "development" | "appStore" | "enterprise" | "developerID" | "uncategorized";

/** An accepted app: team ID (App ID prefix) and bundle ID, or whole App ID. An App Clip has the full app's App ID. */
export type App = ({ teamID: string; bundleID: string } | { appID: string }) & {
  /**
   * The platform; "device" by default. List an app for both platforms twice: the key's certificate determines which
   * applies. For "macOS" the leaf's access control list must equal the one that Apple documents.
   */
  platform?: "device" | "macOS";
};

/**
 * Restrictions on genuine objects. An absent policy or member restricts nothing unless documented otherwise. Values are
 * not converted: an unknown member, an empty list, and a value of another type or out of range cause a `TypeError`.
 */
export interface Policies {
  launchPolicy?: LaunchPolicy;
  systemPolicy?: SystemPolicy;
  agePolicy?: AgePolicy;
}

/** The accepted launch information, in attestations and assertions. */
export interface LaunchPolicy {
  /**
   * Accepted categories by name or Apple's number. By default all are accepted except categories that no app should
   * have: 0, 7, 8, 9, and for a Mac app in production "development".
   */
  categories?: (Category | number)[];
  /** Accepted bundle versions: a minimum version, or a list of versions; all by default. */
  versions?: { atLeast: string } | { oneOf: string[] };
  /**
   * Accepted builds; all by default. A build is the SHA-256 of its code directory, as 32 bytes or hexadecimal digits;
   * list one for each architecture. Devices with iOS 27, macOS 27 or later send it if the app requests it. With a list,
   * `acceptsMissing` decides about all other devices. `acceptsTruncated` accepts a match of the first 20 bytes if the
   * device (as some Macs) or the list has only 20 bytes. By default it is false, and such hashes are rejected.
   */
  builds?: { oneOf: (Bytes | string)[]; acceptsTruncated?: boolean };
  /** Accepts devices that send no launch information, such as all before iOS 27. Default: true. */
  acceptsMissing?: boolean;
  /**
   * Accepts `unverifiedLaunchInformation` as if the system had written it. **An app can forge it**: a modified app on a
   * genuine device can write any category, version and build. Default: false.
   */
  believesForgeable?: boolean;
}

/**
 * The accepted systems, as Apple certified them when the key was attested. Assertions are judged by the system at that
 * time: to prove an update, a device must attest a new key.
 */
export interface SystemPolicy {
  /** The first accepted version of a device's system, one to three numbers: "27.1". */
  minimumVersion?: string;
  /** The first accepted version of macOS. */
  minimumMacOSVersion?: string;
  /** The accepted system builds, such as "24B91". */
  builds?: string[];
  /** Accepts prerelease systems, such as betas: those whose certificate contains a release type. Default: true. */
  acceptsPrereleases?: boolean;
  /** Accepts systems whose version or build is required but unknown. Default: false. */
  acceptsUnknown?: boolean;
}

/** Limits for ages and counter steps: whole numbers from 0 to 2,147,483,647. */
export interface AgePolicy {
  /** The maximum age of an attestation in seconds. Default: its certificate's validity, three days to a year. */
  maximumAttestationAge?: number;
  /** The maximum time since a key's attestation, in seconds. A key whose record has no attestation time is rejected. */
  maximumKeyAge?: number;
  /** The maximum step of an assertion's counter above the greatest value so far. */
  maximumCounterStep?: number;
}

/** An app with its own policies, each of which replaces the common policy. */
export type AppWithPolicies = App & Policies;

export type Options = (App | { apps: AppWithPolicies[] }) & Policies & {
  /** A production server must not accept keys of development builds. */
  environment: Environment;
  /** "slidingWindow" accepts each counter value once in a window of 64, for concurrent requests. Default: "strict". */
  counterPolicy?: "strict" | "slidingWindow";
  /** The clock skew in seconds. Default: 0. */
  clockSkew?: number;
};

/** Properties of the running app, from the system or, if unverified, possibly from the app. */
export interface LaunchInformation {
  /** Apple's number; null if the device did not send it. */
  validationCategory: number | null;
  /** At most the first 64 bytes; null if the device did not send it. */
  bundleVersion: string | null;
  /** The running build: 32 bytes, on some Macs the first 20; null if not requested by the app or not sent. */
  codeDirectoryHash: Uint8Array | null;
  /** The hash type: 2 is SHA-256; no list contains another type. Null if the hash is null. */
  codeDirectoryHashType: number | null;
}

export interface Verified extends LaunchInformation {
  /**
   * 111 to 1,024 bytes to store under the key ID. After an assertion, this record replaces the record that you read, by
   * compare-and-set.
   */
  keyRecord: Uint8Array;
  /** 04 ‖ x ‖ y, 65 bytes. */
  publicKey: Uint8Array;
  /** The counter of this object; 0 for an attestation. */
  counter: number;
  /** The App ID of one of the verifier's apps. */
  appID: string;
  environment: Environment;
  /** Launch information that is not provably from the system: the app may have written it. Null if there is none. */
  unverifiedLaunchInformation: LaunchInformation | null;
  /**
   * The 20 bytes of a build that iOS 18.5 to 26 add outside the signed data. The app may have written them, and no
   * policy uses them. Null if there are none.
   */
  unverifiedCodeDirectoryHash: Uint8Array | null;
  /** The platform that Apple certified when the key was attested: "iphoneos" or "macosx"; null if absent. */
  platform: string | null;
  /** The system's build, such as "24B5089g". */
  build: string | null;
  /** "Beta" or similar; null for a release. */
  releaseType: string | null;
}

export interface VerifiedAttestation extends Verified {
  keyID: Uint8Array;
  /** Verified only with the option `verifyReceipt`, or later by {@link PureAttest.verifyReceipt}. */
  receipt: Uint8Array;
  /** From the leaf certificate; null if absent. */
  osVersion: string | null;
}

export interface VerifiedReceipt {
  /** Seconds since 1970. */
  creationTime: number;
  /** The earliest time for a risk query; null if absent. */
  notBefore: number | null;
  expirationTime: number;
  /** The approximate number of keys that the device recently created; null if absent, which differs from 0. */
  riskMetric: number | null;
  /** Created with the attestation, or an answer to a risk query. */
  kind: "attestation" | "answer";
}

/** The reason why an object was rejected. Use it only in logs, and give all clients the same answer. */
export class RefusedError extends Error {
  /** The broken rule, as PureAttestError names it: "nonceMismatch", "certificate", "counterNotIncreased" … */
  readonly code: string;
  /** For certificates, the broken rule as X509Error names it: "expired" … */
  readonly detail: string | undefined;
}

/** Thrown by each call of an instance that trapped before, or ran out of memory or stack. */
export class BrokenInstanceError extends Error {}

/** The tested parts, in this order; the assertion module has the first two. */
export type SelfTestPart = "generatorTableP256" | "signatureP256" | "generatorTableP384" | "appleCertificates" | "appleKeyTables";

/** Thrown if this module computes a known answer wrongly. */
export class SelfTestError extends Error {
  /** The first wrong part. */
  readonly part: SelfTestPart;
}

/** A public key of P-256 as a JWK (RFC 7518 §6.2.1), without `d`. */
export interface WebKey {
  kty: "EC";
  crv: "P-256";
  x: string;
  y: string;
  [member: string]: unknown;
}

/**
 * Verifies App Attest objects. Each call copies its inputs once and reads only the copies. Limits in bytes: 65,536 for
 * attestations, receipts and challenges, 32 for key IDs, 4,096 for assertions, 1,024 for key records, 4 MiB for client
 * data, 16 MiB for messages; above them the error is `inputTooLarge`.
 */
export class PureAttest {
  /** @param module PureAttestWasm.wasm, compiled by the caller (in a Worker: imported) */
  static instantiate(module: WebAssembly.Module, options: Options): Promise<PureAttest>;

  /**
   * Tests known answers of the loaded module: its tables, digests, signatures and Apple's certificates. Throws a
   * {@link SelfTestError} on a wrong answer; a damaged module may trap instead. The instance is then broken, and no
   * result is reliable.
   */
  selfTest(): void;

  /**
   * Verifies the attestation of a new key, or throws a {@link RefusedError}.
   *
   * Pass the `challenge`, which this method hashes. If an app passed anything but SHA-256 of a challenge to `attestKey`,
   * pass this value as `clientDataHash` instead. `now` is the clock's time by default. With `verifyReceipt` (default:
   * false), Apple must have issued the receipt for this attestation, at most five minutes ago.
   */
  verifyAttestation(
    object: { attestation: Bytes; keyID: Bytes; now?: Time; verifyReceipt?: boolean }
      & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
  ): VerifiedAttestation;

  /**
   * Verifies an assertion of a stored key, or throws a {@link RefusedError}. `clientData` must equal `challenge`. If
   * `challenge` is null, the caller must find and compare the challenge in the client data. Only a maximum key age uses
   * `now`, by default the clock's time.
   */
  verifyAssertion(
    object: { assertion: Bytes; clientData: Bytes; challenge: Bytes | null; keyRecord: Bytes; now?: Time },
  ): Verified;

  /**
   * Verifies that Apple made the receipt for this key and app, or throws a {@link RefusedError}. `maximumAge` in
   * seconds, 300 by default; null: no limit.
   */
  verifyReceipt(
    object: { receipt: Bytes; keyRecord: Bytes; now?: Time; maximumAge?: number | null },
  ): VerifiedReceipt;

  /** Returns 32 bytes. */
  sha256(message: Bytes): Uint8Array;
  /**
   * Verifies ECDSA with SHA-256. The key is uncompressed (65 bytes), and the signature is in DER. Returns false for wrong
   * and malformed keys and signatures.
   */
  verifyP256(publicKey: Bytes, signature: Bytes, message: Bytes): boolean;
  /** Verifies ECDSA with SHA-384; the key has 97 bytes. */
  verifyP384(publicKey: Bytes, signature: Bytes, message: Bytes): boolean;

  /**
   * Returns the record of a key that another library verified and a server stored. Accepts 04 ‖ x ‖ y (X9.63), x ‖ y, or
   * a SubjectPublicKeyInfo in DER, each as bytes, a PEM "PUBLIC KEY", or a JWK. Trusts every argument, and checks only
   * that the key is a P-256 key. `appID`: one of the verifier's, by default the first. `counter`: the greatest value used
   * so far; this value and all smaller values are rejected later.
   */
  importKey(key: { publicKey: Bytes | string | WebKey; appID?: string; counter: number }): {
    keyRecord: Uint8Array;
    publicKey: Uint8Array;
  };

  /** A call trapped or ran out of memory or stack: create a new instance. */
  readonly isBroken: boolean;
  /** The whole App IDs of the accepted apps. */
  readonly appIDs: string[];
  /** The accepted environment. */
  readonly environment: Environment;
  /** The instance's linear memory in bytes. It grows to the need of the largest call and never shrinks. */
  readonly memorySize: number;
}
