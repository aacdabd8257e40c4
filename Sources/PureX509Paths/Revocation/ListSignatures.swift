import PureDER
import PureX509

/// A cache of list signature checks, so that no list is verified twice with one key.
///
/// Lists are verified only with the keys of anchors, and with keys that a path to an anchor certifies. The caller bounds
/// the number of lists, and ``PathEffort`` the number of certified keys. So these checks need no separate limit, which
/// badly signed lists could exhaust before a good list is verified.
struct ListSignatures {
    private var verdicts: [[(key: ArraySlice<UInt8>, isValid: Bool)]]

    init(listCount: Int) {
        verdicts = [[(key: ArraySlice<UInt8>, isValid: Bool)]](repeating: [], count: listCount)
    }

    /// Returns whether the key of `keyInfo` signed the list, or `nil` if that key was not tried.
    func verdict(_ number: Int, _ keyInfo: ArraySlice<UInt8>) -> Bool? {
        verdicts[number].first { $0.key == keyInfo }?.isValid
    }

    /// Whether `key` signed `list`. `keyInfo` is the key's encoding, `number` the list's index.
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
