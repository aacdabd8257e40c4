/// The offsets of the members of `pure_attest_result` in `pure_attest.h`. generate-bindings writes these offsets for
/// JavaScript, and c-abi.sh compares the header with them. (The target generate-bindings contains a symbolic link to
/// this file.)
package enum ResultMember: Int, CaseIterable {
    case validationCategory = 0
    case app = 8
    case counter = 12
    case receiptOffset = 16
    case receiptCount = 20
    case bundleVersion = 24
    case osVersion = 92
    case unverifiedValidationCategory = 128
    case unverifiedBundleVersion = 136
    case platform = 204
    case build = 240
    case releaseType = 276
    case codeDirectoryHash = 312
    case unverifiedLaunchCodeDirectoryHash = 384
    case unverifiedCodeDirectoryHash = 456
    case keyRecord = 528

    package static var size: Int { 1_560 }
}

/// The offsets of the members of `pure_attest_receipt_result`.
package enum ReceiptMember: Int, CaseIterable {
    case creationTime = 0
    case notBefore = 8
    case expirationTime = 16
    case riskMetric = 24
    case kind = 32

    package static var size: Int { 40 }
}
