/** App Attest verification in WebAssembly. */

export type Bytes = Uint8Array | ArrayBuffer;
/** Seconds since 1970, or a Date; up to the year 9999. Milliseconds, which are beyond it, are a `TypeError`. */
export type Time = number | Date;
export type Environment = "production" | "development";
export type Category =
  | "platform" | "testFlight" | "development" | "appStore" | "enterprise" | "developerID" | "uncategorized";

/** An accepted app: its team ID (App ID prefix) and bundle ID, or its whole App ID. An App Clip has the full app's. */
export type App = ({ teamID: string; bundleID: string } | { appID: string }) & {
  /**
   * An app of both platforms is listed twice: the key's certificate says which counts. "macOS": the leaf's access control list is
   * compared with the one that Apple documents. Default: "device".
   */
  platform?: "device" | "macOS";
};

/**
 * What is accepted, besides genuine objects. A policy that is absent, or a member of it, restricts nothing, unless it says otherwise. Nothing
 * is converted: a member that no policy has, an empty list and a value of another type or out of range are a `TypeError`.
 */
export interface Policies {
  launchPolicy?: LaunchPolicy;
  systemPolicy?: SystemPolicy;
  agePolicy?: AgePolicy;
}

/** Which launch information is accepted, on attestations and on assertions. */
export interface LaunchPolicy {
  /**
   * Accepted categories by name or Apple's number; absent: any but those that no app should have (0, 7, 8, 9, and of a Mac app
   * in production "development").
   */
  categories?: (Category | number)[];
  /** Accepted bundle versions: one and all later ones, or exactly these; absent: any. */
  versions?: { atLeast: string } | { oneOf: string[] };
  /**
   * Accepted builds; absent: any. A build is the SHA-256 of its code directory, 32 bytes or their hexadecimal digits, and has one for each
   * architecture. Devices send it from iOS 27 and macOS 27 on, if the app asks for it: with a list, `acceptsMissing` decides of all
   * others. `acceptsTruncated`: where the device, as some Macs, or the list has the first 20 bytes only, those decide; default:
   * false, they are refused.
   */
  builds?: { oneOf: (Bytes | string)[]; acceptsTruncated?: boolean };
  /** Whether devices that send none are accepted, as all before iOS 27. Default: true. */
  acceptsMissing?: boolean;
  /**
   * Whether `unverifiedLaunchInformation` counts as the system's word. **An app can forge it**: a changed app on a genuine device
   * writes any category, version and build there. Default: false.
   */
  believesForgeable?: boolean;
}

/**
 * Which systems are accepted, by what Apple certified when the key was attested. Assertions are judged as of then: a device shows an update
 * by attesting a new key.
 */
export interface SystemPolicy {
  /** The first accepted version of a device's system, one to three numbers: "27.1". */
  minimumVersion?: string;
  /** The first accepted version of macOS. */
  minimumMacOSVersion?: string;
  /** Exactly the accepted builds of systems, such as "24B91". */
  builds?: string[];
  /** Whether systems are accepted that name a kind of release, as betas do. Default: true. */
  acceptsPrereleases?: boolean;
  /** Whether systems are accepted whose version or build is asked for and not known. Default: false. */
  acceptsUnknown?: boolean;
}

/** How old things may be, and how far a counter may jump. Whole numbers from 0 to 2,147,483,647. */
export interface AgePolicy {
  /** How many seconds after it was made an attestation is accepted; absent: as long as its certificate is valid, three days to a year. */
  maximumAttestationAge?: number;
  /** How many seconds after its attestation a key is accepted. A key whose record does not say when that was is refused. */
  maximumKeyAge?: number;
  /** How far above the greatest one so far an assertion's counter may be. */
  maximumCounterStep?: number;
}

/** An app with policies of its own, each in place of the one for all apps. */
export type AppWithPolicies = App & Policies;

export type Options = (App | { apps: AppWithPolicies[] }) & Policies & {
  /** A production server must not accept keys of development builds. */
  environment: Environment;
  /** "slidingWindow": each counter value once, within a window of 64, for requests that overtake each other. Default: "strict". */
  counterPolicy?: "strict" | "slidingWindow";
  /** How many seconds the clock may be off. Default: 0. */
  clockSkew?: number;
};

/** What the system, or in its place the app, says of the running app. */
export interface LaunchInformation {
  /** Apple's number; null if the device did not say. */
  validationCategory: number | null;
  /** Up to 64 bytes of it; null if the device did not say. */
  bundleVersion: string | null;
  /** The build that ran: 32 bytes, of some Macs the first 20; null if the app does not ask for it or the device did not say. */
  codeDirectoryHash: Uint8Array | null;
  /** How that was hashed: 2 is SHA-256, and a hash of another type is on no list. Null with the hash. */
  codeDirectoryHashType: number | null;
}

export interface Verified extends LaunchInformation {
  /** 111 to 1,024 bytes to store under the key ID; after an assertion, in place of the record that was read, by compare-and-set. */
  keyRecord: Uint8Array;
  /** 04 ‖ x ‖ y, 65 bytes. */
  publicKey: Uint8Array;
  /** The counter of this object; 0 of an attestation. */
  counter: number;
  /** The app, one of the verifier's. */
  appID: string;
  environment: Environment;
  /** Launch information that nothing shows the system to have written: the app can have. Null if there is none. */
  unverifiedLaunchInformation: LaunchInformation | null;
  /**
   * The 20 bytes of a build that iOS 18.5 to 26 put beside everything that is signed: the app can have written them, and no policy sees
   * them. Null if there are none.
   */
  unverifiedCodeDirectoryHash: Uint8Array | null;
  /** What Apple certified of the system when the key was attested: "iphoneos" or "macosx"; null if it did not say. */
  platform: string | null;
  /** The system's build, "24B5089g". */
  build: string | null;
  /** "Beta" or the like; null for a release. */
  releaseType: string | null;
}

export interface VerifiedAttestation extends Verified {
  keyID: Uint8Array;
  /** Verified only with `verifyReceipt`. See {@link PureAttest.verifyReceipt}, too, for later. */
  receipt: Uint8Array;
  /** From the leaf certificate; null if it names none. */
  osVersion: string | null;
}

export interface VerifiedReceipt {
  /** Seconds since 1970. */
  creationTime: number;
  /** The earliest time for a risk query; null if the receipt names none. */
  notBefore: number | null;
  expirationTime: number;
  /** How many keys the device has made lately, roughly; null if the receipt does not say, which is not 0. */
  riskMetric: number | null;
  /** Made with the attestation, or an answer to a risk query. */
  kind: "attestation" | "answer";
}

/** Why an object was refused. For logs: clients should all get the same answer. */
export class RefusedError extends Error {
  /** The broken rule, as PureAttestError names it: "nonceMismatch", "certificate", "counterNotIncreased" … */
  readonly code: string;
  /** Of certificates: the broken rule, as X509Error names it: "expired" … */
  readonly detail: string | undefined;
}

/** Thrown by each call of an instance that trapped, or ran out of memory or stack, before. */
export class BrokenInstanceError extends Error {}

/** What is tested, in this order; the assertions' module has the first two. */
export type SelfTestPart = "generatorTableP256" | "signatureP256" | "generatorTableP384" | "appleCertificates" | "appleKeyTables";

/** A known answer is not what this module computes. */
export class SelfTestError extends Error {
  /** What was wrong first. */
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
 * No input is kept, and none is looked at again after the call has begun: each is copied once. The most bytes: 65,536 of attestations, receipts
 * and challenges, 32 of key IDs, 4,096 of assertions, 1,024 of key records, 4 MiB of client data, 16 MiB of messages; more are `inputTooLarge`.
 */
export class PureAttest {
  /** @param module PureAttestWasm.wasm, compiled by the caller (in a Worker: imported) */
  static instantiate(module: WebAssembly.Module, options: Options): Promise<PureAttest>;

  /**
   * Throws a {@link SelfTestError} if the module as it was loaded does not compute known answers: its tables, digests, signatures and Apple's
   * certificates. A damaged module may trap instead. Nothing that it says is to be believed then: the instance is broken.
   */
  selfTest(): void;

  /**
   * Throws a {@link RefusedError} unless the attestation of a new key verifies.
   *
   * `challenge` is hashed here; an app that passed something else than SHA-256 of a challenge to `attestKey` has a
   * `clientDataHash` instead. `now` is the clock's time unless given. `verifyReceipt`: the receipt must be Apple's, made for this
   * attestation and no older than five minutes; default: false.
   */
  verifyAttestation(
    object: { attestation: Bytes; keyID: Bytes; now?: Time; verifyReceipt?: boolean }
      & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
  ): VerifiedAttestation;

  /**
   * Throws a {@link RefusedError} unless the assertion of a stored key verifies. `clientData` must be `challenge`; null: the
   * caller finds the challenge in the client data and compares it. `now`, the clock's time unless given, is for a limit of the key's
   * age.
   */
  verifyAssertion(
    object: { assertion: Bytes; clientData: Bytes; challenge: Bytes | null; keyRecord: Bytes; now?: Time },
  ): Verified;

  /**
   * Throws a {@link RefusedError} unless Apple made the receipt for this key and app. `maximumAge` in seconds, 300 unless given;
   * null: any.
   */
  verifyReceipt(
    object: { receipt: Bytes; keyRecord: Bytes; now?: Time; maximumAge?: number | null },
  ): VerifiedReceipt;

  /** 32 bytes. */
  sha256(message: Bytes): Uint8Array;
  /** ECDSA with SHA-256; the key uncompressed (65 bytes), the signature in DER. Malformed ones are `false`, as wrong ones. */
  verifyP256(publicKey: Bytes, signature: Bytes, message: Bytes): boolean;
  /** The same with SHA-384; 97 bytes. */
  verifyP384(publicKey: Bytes, signature: Bytes, message: Bytes): boolean;

  /**
   * The record of a key that another library verified and a server stored: 04 ‖ x ‖ y (X9.63), x ‖ y, or a SubjectPublicKeyInfo in DER, each
   * as bytes, a PEM "PUBLIC KEY", or a JWK. Nothing is proved of it but that it is a key of P-256: what the caller passes is trusted. `appID`:
   * one of the verifier's, by default the first. `counter`: the greatest value used so far; all smaller ones count as used.
   */
  importKey(key: { publicKey: Bytes | string | WebKey; appID?: string; counter: number }): {
    keyRecord: Uint8Array;
    publicKey: Uint8Array;
  };

  /** Whether a call trapped: then make a new one. */
  readonly isBroken: boolean;
  /** The accepted apps, by their whole App IDs. */
  readonly appIDs: string[];
  /** The accepted environment. */
  readonly environment: Environment;
  /** Bytes of linear memory of the instance. It grows to what the largest call needs and stays there. */
  readonly memorySize: number;
}
