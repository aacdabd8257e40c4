import PureAttestTesting
import PureDER
import PureKeyAttestation

/// A chain that is not yet encoded. The leaf comes first.
package struct ChainDraft: Sendable {
    package var links: [LinkDraft]
    package var description: KeyDescriptionDraft
    /// Whether the leaf contains `description` as an extension.
    package var isDescribed = true

    package init(links: [LinkDraft], description: KeyDescriptionDraft) {
        (self.links, self.description) = (links, description)
    }

    /// The DER certificates, leaf first. Each is signed with the key of the next, and the last certificate is
    /// self-signed.
    package var certificates: [[UInt8]] { links.indices.map { certificate($0) } }

    func certificate(_ position: Int) -> [UInt8] {
        var link = links[position]
        if position == 0, isDescribed { link.extensions.append(ExtensionDraft(.keyDescription, description.encoded)) }
        return link.encoded(signedBy: links[min(position + 1, links.count - 1)], isShared: position > 0)
    }
}
