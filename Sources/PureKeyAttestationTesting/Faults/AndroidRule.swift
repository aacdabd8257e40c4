/// The numbered rules that a verifier of key attestations must check.
enum AndroidRule: Int, CaseIterable {
    case chain = 1, root, descriptionInLeafOnly, dates, revocation, revocationList, description, challenge, level,
        leafKey
    case securityLevel, boot, key, app, system, provisioning, signature

    var text: String {
        let words =
            switch self {
            case .chain:
                "four or five certificates in order, or one fewer without the root; each key signs the certificate before it"
            case .root: "the last certificate has the key of one of Google's hardware roots, or such a root issued it"
            case .descriptionInLeafOnly: "only the leaf has a key description"
            case .dates: "intermediates are valid at the server's time; the dates of leaf and root are ignored"
            case .revocation: "the revocation list has no serial number of the chain"
            case .revocationList: "an unreadable revocation list is an error, not an empty list"
            case .description: "the description is DER of its type, without duplicate members"
            case .challenge: "the attested challenge equals the issued challenge"
            case .level: "the attestation's security level equals the level of its attesting certificate"
            case .leafKey: "the leaf's key has the described algorithm, size and curve"
            case .securityLevel: "attestation and key meet the policy's minimum security level"
            case .boot: "the hardware-enforced root of trust is locked, and verified or signed with an accepted key"
            case .key: "origin and purpose are hardware-enforced; the key is not for all applications"
            case .app: "each app is accepted, with exactly its signing certificates"
            case .system: "version and patch levels are hardware-enforced"
            case .provisioning:
                "the attesting key's provisioning, and the number of certificates issued to the device, meet the policy"
            case .signature: "the key made a later signature over bytes that contain the challenge"
            }
        return "K\(rawValue): \(words)"
    }
}
