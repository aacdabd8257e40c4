/** Written by generate-bindings from ResultMember.swift: the offsets of members, in bytes. */

/** `pure_attest_result` of pure_attest.h */
export const RESULT_SIZE = 1560;
export const RESULT = {
  validationCategory: 0,
  app: 8,
  counter: 12,
  receiptOffset: 16,
  receiptCount: 20,
  bundleVersion: 24,
  osVersion: 92,
  unverifiedValidationCategory: 128,
  unverifiedBundleVersion: 136,
  platform: 204,
  build: 240,
  releaseType: 276,
  codeDirectoryHash: 312,
  unverifiedLaunchCodeDirectoryHash: 384,
  unverifiedCodeDirectoryHash: 456,
  keyRecord: 528,
};

/** `pure_attest_receipt_result` of pure_attest.h */
export const RECEIPT_SIZE = 40;
export const RECEIPT = {
  creationTime: 0,
  notBefore: 8,
  expirationTime: 16,
  riskMetric: 24,
  kind: 32,
};
