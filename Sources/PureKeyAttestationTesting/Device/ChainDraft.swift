import PureAttestTesting
import PureDER
import PureKeyAttestation

/// A chain that is not yet encoded. The leaf comes first.
struct ChainDraft: Sendable {
    var links: [LinkDraft]
    var description: KeyDescriptionDraft
    /// Whether the leaf contains `description` as an extension.
    var isDescribed = true

    /// The DER certificates, leaf first. Each is signed with the key of the next, and the last certificate is
    /// self-signed.
    var certificates: [[UInt8]] { links.indices.map { certificate($0) } }

    func certificate(_ position: Int) -> [UInt8] {
        var link = links[position]
        if position == 0, isDescribed { link.extensions.append(ExtensionDraft(.keyDescription, description.encoded)) }
        return link.encoded(signedBy: links[min(position + 1, links.count - 1)], isShared: position > 0)
    }
}
