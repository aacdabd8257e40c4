/** Written by generate-bindings from PureAttestServerCore. */

export type ChallengePurpose = "attestation" | "assertion";
export type SessionUse = "untilExpiry" | "untilRevoked" | "once";
export type AnswerPolicy = "precise" | "uniform";
export type BudgetHolder = "key" | "account";
/** HTTPAnswer.Code */
export type AnswerCode =
  | "unknownKey"
  | "refused"
  | "replay"
  | "consumed"
  | "overtaken"
  | "tooManyRequests"
  | "budgetSpent"
  | "enrolLater"
  | "serverUnavailable";
