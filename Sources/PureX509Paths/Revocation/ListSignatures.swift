import PureDER
import PureX509

/// A cache for the signature checks of revocation lists. No list is verified twice with the same key.
///
/// Lists are verified only with keys of anchors, and with keys that a path to an anchor certifies. The caller bounds
/// the number of lists, and ``PathEffort`` bounds the number of certified keys. So these checks need no separate limit.
/// An attacker could exhaust such a limit with invalid lists before a valid list is verified.
struct ListSignatures {
    private var verdicts: [[(key: ArraySlice<UInt8>, isValid: Bool)]]

    init(listCount: Int) {
        verdicts = [[(key: ArraySlice<UInt8>, isValid: Bool)]](repeating: [], count: listCount)
    }

    /// Returns whether the key `keyInfo` signed the list, or `nil` if the list was not yet verified with this key.
    func verdict(_ number: Int, _ keyInfo: ArraySlice<UInt8>) -> Bool? {
        verdicts[number].first { $0.key == keyInfo }?.isValid
    }

    /// Whether `key` signed `list`. `keyInfo` is the encoded key, and `number` is the index of the list.
    mutating func isSigned(
        _ number: Int, _ list: CertificateRevocationList, by key: IssuerKey, _ keyInfo: ArraySlice<UInt8>
    ) -> Bool {
        if let verdict = verdict(number, keyInfo) { return verdict }
        let isValid = key.isValidSignature(
            list.fields.signature, algorithm: list.fields.signatureAlgorithm, message: list.fields.tbsCertList)
        verdicts[number].append((keyInfo, isValid))
        return isValid
    }
}
