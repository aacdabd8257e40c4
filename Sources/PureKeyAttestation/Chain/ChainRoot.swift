/// A root that is trusted.
package struct ChainRoot: Hashable, Sendable {
    /// Its subject, a DER Name: the issuer of what it issued.
    let name: [UInt8]
    let key: AndroidPublicKey

    package init(name: [UInt8], key: AndroidPublicKey) { (self.name, self.key) = (name, key) }
}
