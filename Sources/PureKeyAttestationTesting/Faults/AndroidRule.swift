/// What a verifier of Android's keys has to check: the rules that this library numbers.
enum AndroidRule: Int, CaseIterable {
    case chain = 1, root, descriptionInLeafOnly, dates, revocation, revocationList, description, challenge, level,
        leafKey
    case securityLevel, boot, key, app, system, provisioning, signature

    /// The number, and the rule in words.
    var text: String {
        let words =
            switch self {
            case .chain:
                "four or five certificates in order, or one less without the root's, each signed by the next one's key"
            case .root: "the last one's key is one of Google's for hardware, or such a root has issued it"
            case .descriptionInLeafOnly: "no certificate but the leaf has a key description"
            case .dates: "dates at the server's time, but for leaf and root"
            case .revocation: "no serial number of the chain is in the revocation list"
            case .revocationList: "a revocation list that can't be read is refused"
            case .description: "the description is DER of its type, and no member is twice"
            case .challenge: "the attested challenge is the one that was issued"
            case .level: "the attestation claims the level that its certificate was made for"
            case .leafKey: "the leaf's key is the one that is described"
            case .securityLevel: "attestation and key are at least at the level of the policy"
            case .boot: "root of trust in the hardware's list: locked, and verified or signed with a listed key"
            case .key: "origin and purpose in the hardware's list; not for all apps"
            case .app: "the apps are accepted ones, with all their signing certificates and no others"
            case .system: "version and patch levels in the hardware's list"
            case .provisioning: "how the attesting key was provisioned, and how many certificates the device was given"
            case .signature: "a later signature is the key's, over bytes that hold the challenge"
            }
        return "K\(rawValue): \(words)"
    }
}
