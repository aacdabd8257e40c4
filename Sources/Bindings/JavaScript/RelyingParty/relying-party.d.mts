/** The server's side of App Attest: the rules of PureAttestServer in WebAssembly, over a store. */

import type { Bytes, Environment, Options, PureAttest, Time } from "../Verifier/pure-attest.mjs";
import type { Limits } from "./limits.mjs";
import type { Allowance } from "./purchases.mjs";
import type { AnswerCode, AnswerPolicy, BudgetHolder, ChallengePurpose, SessionUse } from "../Generated/server-facts.mjs";
import type { Store } from "./stores.mjs";

/** Signs session tokens and challenges. */
export interface SessionKey {
  /** 1 to 64 characters of `A-Z a-z 0-9 - _ .`; different for each key. */
  id: string;
  /** 32 to 1,024 bytes from a random generator. */
  secret: Bytes;
}

/** A token bucket. Both members are whole numbers from 1 to 2³² − 1. */
export interface Rate {
  /** The maximum number of requests at once after a pause. */
  burst: number;
  /** The maximum number of requests per minute in the long run. */
  perMinute: number;
}

/** A budget of one key or account per period of whole days. Periods start at multiples of their length since 1970. */
export interface Budget {
  /** The length of a period in days, 1 to 3,660. Changing it restores every allowance. */
  days: number;
  /** The requests per period, 0 to 2⁵³ − 1. */
  requests: number;
  /** The units per period, such as tokens of a language model, 0 to 2⁵³ − 1. */
  units: number;
  /** The holder. A key without an account has its own budget. Default: "key". */
  per?: BudgetHolder;
}

/** Who may enrol new keys, and how fast. */
export interface Enrolment {
  /** The share of accounts that may enrol, 0 to 1,000 per thousand. Excludes `from`. Default: 1,000. */
  perThousand?: number;
  /** No account enrols before this time. Needs `until`. */
  from?: Time;
  /** All accounts may enrol from this time on. Between `from` and `until`, accounts join at an even rate. */
  until?: Time;
  /** The name of the roll-out. Changing it gives each account another place in the order. Default: empty. */
  name?: string;
  /** New keys per second in this process, from 1 on; null: unlimited. Apple advises fewer than 100. Default: 50. */
  keysPerSecond?: number | null;
}

/** Rate limits; null: unlimited. Defaults as burst / requests per minute. */
export interface Rates {
  /** Challenges, registrations and authentications per client address: 600 / 600. */
  requestsPerClientAddress?: Rate | null;
  /** Challenges for attestations per account: 10 / 1. */
  enrolmentsPerAccount?: Rate | null;
  /** Challenges for attestations per client address, without an account: 120 / 120. */
  enrolmentsPerClientAddress?: Rate | null;
  /** Attestations and assertions per account that do not verify: 20 / 1. */
  failuresPerAccount?: Rate | null;
  /** Verified assertions per key: 20 / 20. */
  authenticationsPerKey?: Rate | null;
  /** Requests in sessions per key: 600 / 600. */
  sessionRequestsPerKey?: Rate | null;
  /** Tokens of the unattested tier, issued and used, per client address: 10 / 10. */
  unattestedRequestsPerClientAddress?: Rate | null;
}

/** Options of a relying party. An unknown option, and a value of another type or out of range, cause a `TypeError`. */
export interface PartyOptions {
  /** The database of keys, consumed tokens and budgets. Processes with one store act as one relying party. */
  store: Store;
  /** The first key signs; all keys verify. To rotate: append the new key, move it to the front, then remove the old. */
  sessionKeys: SessionKey[];
  /** Counts requests for `rates`; null: unlimited. Default: a `MemoryLimits`, which counts in this process only. */
  limits?: Limits | null;
  /** Returns the time, in seconds since 1970 or as a `Date`. Default: the system's clock. */
  clock?: () => Time;
  /** The lifetime of a challenge in seconds, 1 to 300. Default: 60. */
  challengeLifetime?: number;
  /** The lifetime of a session in seconds, 1 to 86,400. Default: 900. */
  sessionLifetime?: number;
  /**
   * How long a session token is valid: until it expires, without queries to the store and without revocation; until it
   * is ended or its key is revoked; or for one use. Default: "untilRevoked".
   */
  sessionUse?: SessionUse;
  /** The maximum size of method, target and body of a signed request together, in bytes: 0 to 4 MiB. Default: 65,536. */
  maximumClientData?: number;
  /**
   * The maximum number of verifications of an assertion, if other assertions of its key are stored first, 1 to 1,000.
   * Default: 64.
   */
  maximumAttempts?: number;
  /** Verifies the receipt in an attestation at registration. Default: false. */
  verifiesFirstReceipt?: boolean;
  /** How much a client learns from a rejection; "uniform" hides which keys exist. Default: "precise". */
  answerPolicy?: AnswerPolicy;
  /** Default: none, which rejects each `spendBudget`. */
  budget?: Budget;
  enrolment?: Enrolment;
  rates?: Rates;
}

/** The caller's name for a user, from its own login: a text without lone surrogates, or at most 256 bytes. */
export type Account = string | Bytes;

/** An IP address as text, or any other name of at most 1,024 bytes. Limits use the first 64 bits of an IPv6 address. */
export type ClientAddress = string | Bytes;

/** The members that requests share. */
export interface RequestOptions {
  /** 32 bytes; a rejection otherwise. */
  keyID: Bytes;
  /** Default: no account. */
  account?: Account | null;
  /** Without one, no limit per client address applies. */
  clientAddress?: ClientAddress | null;
  /** Default: `clock`. */
  now?: Time;
}

export interface IssuedSession {
  /** At most 2,048 characters. */
  token: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export interface Registration {
  keyID: Uint8Array;
  /** False if the key was registered before. */
  isNew: boolean;
  account: Uint8Array | null;
  session: IssuedSession;
}

/** The owner of a budget: a session, an authentication or a registration. */
export interface Holder {
  keyID: Uint8Array;
  account: Uint8Array | null;
}

export interface Authentication extends Holder {
  counter: number;
  session: IssuedSession;
}

export interface Session extends Holder {
  /** 16 bytes. */
  tokenID: Uint8Array;
  /** Seconds since 1970. */
  issuedAt: number;
  expiresAt: number;
  /** Apple's number; null if the device did not send it. */
  validationCategory: number | null;
  bundleVersion: string | null;
  codeDirectoryHash: Uint8Array | null;
}

export interface Balance {
  requestsLeft: number;
  /** Negative if a request used more than it had reserved. */
  unitsLeft: number;
  /** The first second of the next period, since 1970. */
  resetsAt: number;
}

export interface Reservation {
  units: number;
  /** After this reservation. */
  balance: Balance;
  /**
   * Charges or credits the difference between the reserved and the used units; null keeps all reserved units charged.
   * Only the first call has an effect, even if it throws the store's error.
   */
  settle(used: number | null): Promise<void>;
}

export interface StoredKey {
  keyID: Uint8Array;
  environment: Environment;
  isAppAttest: boolean;
  account: Uint8Array | null;
  receipt: Uint8Array;
  /** Seconds since 1970, as all times here. */
  receiptDueAt: number | null;
  registeredAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** For `storeReceiptAnswer`. */
  readonly row: readonly (number | Uint8Array | null)[];
}

export interface Receipt {
  riskMetric: number | null;
  creationTime: number;
  notBefore: number | null;
  expirationTime: number;
}

/**
 * Serves one app, or several with one policy. Each call returns a result or throws an error:
 *
 * - {@link Refusal}: the request is rejected, with the answer for the client.
 * - The error of the store or of the limits, unchanged: nothing is decided, and the same request may be sent again.
 * - {@link StoreError}: the store returned rows that do not fit the operation.
 * - {@link BrokenInstanceError}: an earlier call trapped; create a new party.
 * - `TypeError`: the server's own code passed a wrong argument.
 *
 * Calls may run at the same time.
 */
export class RelyingParty {
  /** @param module PureAttestRelyingParty.wasm, compiled; `verifier` has the options of `PureAttest.instantiate` */
  static instantiate(module: WebAssembly.Module, options: PartyOptions & { verifier: Options }): Promise<RelyingParty>;

  /** @param verifier an instance of PureAttestRelyingParty.wasm, of this party only */
  constructor(verifier: PureAttest, options: PartyOptions);

  /** Returns this relying party over the store of one request, for platforms where connections belong to a request. */
  with(surroundings: Pick<PartyOptions, "store" | "limits" | "clock">): RelyingParty;

  /** Issues a challenge. Queries no store. */
  issueChallenge(request: RequestOptions & { purpose: ChallengePurpose }): Promise<{
    /** 92 bytes. */
    challenge: Uint8Array;
    /** Seconds since 1970. */
    expiresAt: number;
  }>;

  /** Registers an attested key, and opens its first session. */
  register(request: RequestOptions & { attestation: Bytes; challenge: Bytes }): Promise<Registration>;

  /**
   * Verifies an assertion of a registered key, and opens a session. Without `request`, the device signed the challenge.
   * With `request`, the device signed method, target, body and challenge.
   */
  authenticate(request: RequestOptions & { assertion: Bytes; challenge: Bytes; request?: SignedRequest }): Promise<Authentication>;

  /** Verifies a session token. Rejects a missing token as `invalidToken`. */
  verifySession(token: string | Bytes | null | undefined, options?: { now?: Time }): Promise<Session>;

  /** Ends a session, for example at a logout. */
  endSession(session: { tokenID: Bytes; expiresAt: Time }, options?: { now?: Time }): Promise<void>;

  /** Issues a token for a client without App Attest. It proves nothing. Tokens are limited per client address. */
  unattestedSession(clientAddress: ClientAddress, options?: { now?: Time }): Promise<IssuedSession>;

  /** Verifies a token of the unattested tier. A token of one tier is invalid in the other tier. */
  verifyUnattestedSession(
    token: string | Bytes | null | undefined, options?: { now?: Time },
  ): Promise<{ issuedAt: number; expiresAt: number }>;

  /**
   * Charges a request and the maximum `units` that it may use, 0 to 2⁵³ − 1, or rejects the request as `budgetSpent`. If
   * the store throws, the units may have been charged. `from`: the budget of the key's purchase, instead of its own.
   */
  spendBudget(
    units: number, holder: { keyID: Bytes; account: Account | null }, options?: { from?: Allowance | null; now?: Time },
  ): Promise<Reservation>;

  /** Revokes a key and its sessions, and returns whether this call did. */
  revoke(keyID: Bytes, options?: { now?: Time }): Promise<boolean>;

  /** Revokes an account's keys, and returns the number that this call revoked. */
  revokeKeys(account: Account, options?: { now?: Time }): Promise<number>;

  /** Returns an account's keys, sorted by identifier: those after `after`, at most `limit` (1 to 1,000; default: 100). */
  keys(account: Account, options?: { after?: Bytes; limit?: number }): Promise<StoredKey[]>;

  /**
   * Claims up to `limit` (1 to 1,000) due receipts of this party's apps and environment, to send to Apple. A claim lasts ten
   * minutes, in all processes.
   */
  claimDueReceipts(limit: number, options?: { now?: Time }): Promise<StoredKey[]>;

  /**
   * Verifies and stores the receipt in Apple's answer. `risk` receives each new receipt before it is stored. Throws a
   * {@link Refusal} if the new receipt does not verify: the old receipt stays, and is due again a day later.
   */
  storeReceiptAnswer(
    due: StoredKey, answer: { status: number; body: Bytes }, options?: { risk?: (receipt: Receipt) => void | Promise<void>; now?: Time },
  ): Promise<{ state: "notYetDue" | "due" | "renewalRequired" | "gone"; askAgainAt: number | null }>;

  /**
   * Deletes expired rows, at most `limit` of each kind (1,000 by default), and returns their numbers. Call it
   * periodically. It affects storage only, never a verdict.
   */
  removeExpired(limit?: number, options?: { now?: Time }): Promise<{ tokens: number; budgets: number }>;

  /** A call trapped, or ran out of memory or stack. */
  readonly isBroken: boolean;
  readonly maximumClientData: number;
  /** The instance of this party. It verifies nothing by itself. */
  readonly verifier: Pick<PureAttest, "appIDs" | "environment" | "isBroken" | "memorySize">;
}

/** The parts of a request that a device signed. */
export interface SignedRequest {
  method: string | Bytes;
  /** Path and query, as the device signed them. */
  target: string | Bytes;
  body: Bytes;
}

/** Why a request is rejected. Clients get `status` and `code`; all other members are for logs. */
export class Refusal extends Error {
  private constructor();
  /** The broken rule, such as "challengeConsumed", or the verifier's, such as "nonceMismatch". */
  readonly reason: string;
  /** For certificates, the broken X.509 rule; for App Store data, the cases of its error. */
  readonly detail: string | undefined;
  /** The key that the request is about, if it is known. Only for logs. */
  readonly keyID: Uint8Array | undefined;
  readonly step: "input" | "limits" | "enrolment" | "challenge" | "key" | "verification" | "session" | "purchase";
  /** The HTTP status: 401, 409, 422, 429 or 503. */
  readonly status: number;
  readonly code: AnswerCode;
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter: number | null;
  /** The balance of a spent budget. */
  readonly balance: Balance | null;
}

/** The store returned rows that do not fit the operation, because of another schema or a fault of the driver. */
export class StoreError extends Error {
  private constructor();
  readonly operation: string;
}

export { BrokenInstanceError, PureAttest, RefusedError } from "../Verifier/pure-attest.mjs";
