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

    /// The DER certificates, leaf first. The next certificate's key signs each one. The last certificate signs itself.
    package var certificates: [[UInt8]] { links.indices.map { certificate($0) } }

    func certificate(_ position: Int) -> [UInt8] {
        var link = links[position]
        if position == 0, isDescribed { link.extensions.append(ExtensionDraft(.keyDescription, description.encoded)) }
        return link.encoded(signedBy: links[min(position + 1, links.count - 1)])
    }
}
