/// A vector set of NIST's ACVP (https://pages.nist.gov/ACVP, the drafts for SHA, HMAC and ECDSA). `prompt.json`
/// contains only the questions, and `internalProjection.json` also contains the answers.
struct ACVPVectorSet: Decodable {
    struct Group: Decodable {
        let tgId: Int?
        let testType: String?
        let conformance: String?
        let componentTest: Bool?
        let curve: String?
        let hashAlg: String?
        let mctVersion: String?
        /// In bits.
        let macLen: Int?
        /// The server writes null if the group has no tests.
        let tests: [Test]?
    }

    struct Test: Decodable {
        struct Checkpoint: Decodable { let md: Wycheproof.HexBytes }

        /// A message that is too long for a file: `content`, repeated until the message is `fullLength` bits long.
        struct LargeMessage: Decodable {
            let content: Wycheproof.HexBytes
            let contentLength: Int
            let fullLength: Int
            let expansionTechnique: String
        }

        let tcId: Int
        // SHA-2
        let msg: Wycheproof.HexBytes?
        /// In bits.
        let len: Int?
        let largeMsg: LargeMessage?
        let md: Wycheproof.HexBytes?
        let resultsArray: [Checkpoint]?
        // HMAC
        let key: Wycheproof.HexBytes?
        /// In bits. In revision 1.0, this member is in the group instead.
        let macLen: Int?
        let mac: Wycheproof.HexBytes?
        // ECDSA
        let message: Wycheproof.HexBytes?
        let randomValue: String?
        let qx: Wycheproof.HexBytes?
        let qy: Wycheproof.HexBytes?
        let r: Wycheproof.HexBytes?
        let s: Wycheproof.HexBytes?
        let testPassed: Bool?
    }

    let vsId: Int?
    let algorithm: String
    let mode: String?
    let revision: String?
    let testGroups: [Group]
}

extension VectorHash {
    /// Creates the hash function with a name such as SHA2-256.
    init?(acvpName: String) {
        guard let length = acvpName.removing(prefix: "SHA2-") else { return nil }
        self.init(named: "SHA-" + length)
    }
}
