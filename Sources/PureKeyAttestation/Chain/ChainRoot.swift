package struct ChainRoot: Hashable, Sendable {
    /// The subject as a DER Name. Certificates that the root issued have this issuer name.
    let name: [UInt8]
    let key: AndroidPublicKey

    package init(name: [UInt8], key: AndroidPublicKey) { (self.name, self.key) = (name, key) }
}
