import PureDER
import PureX509

/// What is known of the signatures of a caller's lists, so that no list is verified twice with one key.
///
/// Only anchors' keys and those that were certified on the way to one are tried. Each of these cost a signature of ``PathEffort``,
/// and the lists are the caller's, so that the work is bounded without counting here, and no number of badly signed lists denies a
/// good one.
struct ListSignatures {
    /// By list.
    private var verdicts: [[(key: ArraySlice<UInt8>, isValid: Bool)]]

    init(listCount: Int) {
        verdicts = [[(key: ArraySlice<UInt8>, isValid: Bool)]](repeating: [], count: listCount)
    }

    /// Whether the key of `keyInfo` is known to have signed a list, or not; `nil` if it was not tried.
    func verdict(_ number: Int, _ keyInfo: ArraySlice<UInt8>) -> Bool? {
        verdicts[number].first { $0.key == keyInfo }?.isValid
    }

    /// Whether `key`, which is that of `keyInfo`, has signed `list`, which is that of `number`.
    mutating func isSigned(
        _ number: Int, _ list: CertificateRevocationList, by key: IssuerKey, _ keyInfo: ArraySlice<UInt8>
    ) -> Bool {
        if let verdict = verdict(number, keyInfo) { return verdict }
        let isValid = key.isValidSignature(
            list.signature, algorithm: list.signatureAlgorithm, message: list.tbsCertList)
        verdicts[number].append((keyInfo, isValid))
        return isValid
    }
}
