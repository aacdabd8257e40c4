package import PureDER

/// A chain of root, CA and leaf that every verifier accepts, including verifiers with App Attest's profile.
package enum TestChain {
    package static let now = UnixTime(secondsSince1970: 1_735_689_600)
    /// The start of the validity of every certificate. `last` is the end.
    package static let first = UnixTime(secondsSince1970: 1_577_836_800)
    package static let last = UnixTime(secondsSince1970: 1_893_456_000)
    package static let rootKey = TestKey.p384(2), authorityKey = TestKey.p384(3), leafKey = TestKey.p256(4)

    package static let root = TestCertificate(
        "Root", rootKey, issuer: "Root", signer: rootKey, extensions: TestExtension.authority)
    package static let authority = TestCertificate(
        "CA", authorityKey, issuer: "Root", signer: rootKey, extensions: TestExtension.authority)
    package static let leaf = TestCertificate(
        "Leaf", leafKey, issuer: "CA", signer: authorityKey, extensions: [TestExtension.digitalSignature])
}
