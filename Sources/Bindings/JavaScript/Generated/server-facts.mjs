/** Written by generate-bindings from the cores of the server and of purchases. Times are in seconds. */

/** ReceiptTimes.claim */
export const RECEIPT_CLAIM = 600;
/** ReceiptScope.byteCountPerApp */
export const RECEIPT_SCOPE_BYTES = 33;
/** RelyingPartyConfiguration.clockMargin */
export const CLOCK_MARGIN = 300;
/** The greatest byte counts of an account, a session token, a key identifier and a request's client data. */
export const MAXIMUM_BYTES = {
  account: 256, token: 2048, keyID: 32, clientData: 65536,
};
export const MAXIMUM_CHALLENGE_LIFETIME = 300;
export const MAXIMUM_SESSION_LIFETIME = 86400;
/** Budget.maximumDays */
export const MAXIMUM_BUDGET_DAYS = 3660;
/** PurchaseRules.largestMaximumKeys */
export const MAXIMUM_PURCHASE_KEYS = 100;
/** The greatest byte counts of what the App Store signs, and of a purchase's and a product's identifier. */
export const MAXIMUM_PURCHASE_BYTES = {
  signedData: 262144, originalTransactionID: 64, productID: 255,
};
/** AppStoreEnvironment, in the order of the module. */
export const APP_STORE_ENVIRONMENTS = ["production", "sandbox", "xcode", "localTesting"];
/** JSONLimits.deepestSupported */
export const MAXIMUM_JSON_DEPTH = 64;
/** The default rates of RelyingPartyConfiguration.Limits. */
export const RATES = {
  requestsPerClientAddress: { burst: 600, perMinute: 600 },
  enrolmentsPerAccount: { burst: 10, perMinute: 1 },
  enrolmentsPerClientAddress: { burst: 120, perMinute: 120 },
  failuresPerAccount: { burst: 20, perMinute: 1 },
  authenticationsPerKey: { burst: 20, perMinute: 20 },
  sessionRequestsPerKey: { burst: 600, perMinute: 600 },
  unattestedRequestsPerClientAddress: { burst: 10, perMinute: 10 },
};

/** The names of Challenge.Purpose, SessionUse, AnswerPolicy and Budget.Holder, in the order of the module. */
export const CHALLENGE_PURPOSES = ["attestation", "assertion"];
export const SESSION_USES = ["untilExpiry", "untilRevoked", "once"];
export const ANSWER_POLICIES = ["precise", "uniform"];
export const BUDGET_HOLDERS = ["key", "account"];
