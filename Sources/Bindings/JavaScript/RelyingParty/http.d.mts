/**
 * The relying party behind fetch-style handlers. Headers, messages and responses are the same as in PureAttest's service.
 * Each response to a proven key has a header `Attest-Challenge`, for the key's next assertion.
 */

import type { Purchases } from "./purchases.mjs";
import type { Account, Authentication, ClientAddress, RelyingParty, Session } from "./relying-party.mjs";

/** A relying party, or a function that returns one for the arguments after the request, such as a Worker's `env`. */
export type Party<Rest extends unknown[]> = RelyingParty | ((...rest: Rest) => RelyingParty | Promise<RelyingParty>);

export type Handler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

export interface HandlerOptions<Rest extends unknown[]> {
  /** Returns the user of the request's login. Default: no account. */
  account?: (request: Request, ...rest: Rest) => Account | null | undefined | Promise<Account | null | undefined>;
  /**
   * Returns the client address that the platform reports, such as a Worker's `CF-Connecting-IP`. Never read it from a
   * header that clients can send. A text that is no IP address causes the response 400; return "" if the platform
   * reports no address, as Node and Bun do for a client that has disconnected. Default: none, so no limit per client
   * address applies.
   */
  clientAddress?: (request: Request, ...rest: Rest) => ClientAddress | null | undefined | Promise<ClientAddress | null | undefined>;
  /** Receives each error that causes a response. Default: writes all except rejections to `console.error`. */
  onError?: (error: unknown, request: Request) => void | Promise<void>;
}

/**
 * Returns a handler that verifies the session token in `Authorization: Bearer`, and calls `handler` with the session. If
 * `handler` throws a rejection, the client receives its response. Other errors of `handler` are rethrown unchanged.
 *
 * @throws TypeError for options of the wrong type; the returned handler throws nothing of its own
 */
export function withSession<Rest extends unknown[]>(
  party: Party<Rest>, handler: (request: Request, session: Session, ...rest: Rest) => Response | Promise<Response>,
  options?: HandlerOptions<Rest>,
): Handler<Rest>;

/**
 * Returns a handler for signed requests. The assertion signs method, target and body. The headers `Attest-Key`,
 * `Attest-Challenge` and `Attest-Assertion` are in Base64. `handler` receives the signed body.
 *
 * @throws TypeError for options of the wrong type; the returned handler throws nothing of its own
 */
export function withAssertion<Rest extends unknown[]>(
  party: Party<Rest>, handler: (request: Request, authentication: Authentication, ...rest: Rest) => Response | Promise<Response>,
  options?: HandlerOptions<Rest> & {
    /** The maximum size of a body, in bytes. `maximumClientData` limits method, target and body together. Default: 65,536. */
    maximumBody?: number;
    /** For servers behind a proxy: returns the target that the client signed. Default: path and query of the URL. */
    target?: (request: Request) => string;
  },
): Handler<Rest>;

/**
 * Returns a handler of `POST /challenge`, `/attest` and `/session`, with the JSON messages of PureAttest's service. It
 * returns undefined for other requests.
 *
 * @throws TypeError for options of the wrong type
 */
export function attestRoutes<Rest extends unknown[]>(
  party: Party<Rest>,
  options?: HandlerOptions<Rest> & {
    /** The path before the routes. Default: empty. */
    prefix?: string;
  },
): (request: Request, ...rest: Rest) => Promise<Response | undefined>;

/**
 * Returns a handler of `POST /purchase`, with a session or a request signature, and of `POST /notifications`, which the
 * App Store calls. It returns undefined for other requests. The App Store gets 500 after any error, so that it repeats
 * the notification. Anybody can send notifications; the App Store sends from 17.0.0.0/8.
 *
 * @throws TypeError for options of the wrong type
 */
export function purchaseRoutes<Rest extends unknown[]>(
  party: Party<Rest>, purchases: Purchases | ((...rest: Rest) => Purchases | Promise<Purchases>),
  options?: HandlerOptions<Rest> & {
    /** The path before the routes. Default: empty. */
    prefix?: string;
  },
): (request: Request, ...rest: Rest) => Promise<Response | undefined>;

/** Returns a function that creates one party, or one `Purchases`, for all requests, and a new one after a failure or a trap. */
export function reusing<Rest extends unknown[], Made extends { readonly isBroken: boolean }>(
  make: (...rest: Rest) => Made | Promise<Made>,
): (...rest: Rest) => Promise<Made>;

/** Returns the response to an error: the error's own, or 503 and "serverUnavailable". Never throws. */
export function answerTo(error: unknown): {
  status: number;
  body: { error: string; requestsLeft?: number; unitsLeft?: number; resetsAt?: number };
  headers: Record<string, string>;
};

/** A malformed request, rejected before verification: 400, 413 or 415. */
export class RequestFault extends Error {
  constructor(code: "malformedRequest" | "tooLarge" | "unsupportedMediaType");
  readonly code: string;
  readonly status: number;
}
