import PureAttestTesting
import PureDER
import PureKeyAttestation

/// A chain before it is encoded, leaf first.
package struct ChainDraft: Sendable {
    package var links: [LinkDraft]
    package var description: KeyDescriptionDraft
    /// Whether the leaf has the key description.
    package var isDescribed = true

    package init(links: [LinkDraft], description: KeyDescriptionDraft) {
        (self.links, self.description) = (links, description)
    }

    /// DER, leaf first; each is signed by the next one's key, and the last by its own.
    package var certificates: [[UInt8]] { links.indices.map { certificate($0) } }

    /// One of them.
    func certificate(_ position: Int) -> [UInt8] {
        var link = links[position]
        if position == 0, isDescribed { link.extensions.append(ExtensionDraft(.keyDescription, description.encoded)) }
        return link.encoded(signedBy: links[min(position + 1, links.count - 1)])
    }
}
