import PureDER
import PureX509
import PureX509Paths

// MARK: In the function
let chain = try Example().certificates.map { try Certificate(derEncoded: $0) }
let (makerRoot, leaf, intermediates, now) =
    (Example.authority.attestationRoot, chain[0], Array(chain.dropFirst()), Example.now)
let verifier = CertificatePathVerifier(trustAnchors: [try TrustAnchor(try Certificate(derEncoded: makerRoot))])
struct InvalidHost: Error {}
let codeSigning = try ASN1ObjectIdentifier(contents: [0x2B, 6, 1, 5, 5, 7, 3, 3])
let ourPolicy = try ASN1ObjectIdentifier(contents: [0x2B, 6, 1, 4, 1, 1])
let lists: [[UInt8]] = []
let response: [UInt8] = []
let timeOfSignature = now
