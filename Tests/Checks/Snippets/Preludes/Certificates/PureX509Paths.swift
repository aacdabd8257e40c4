import PureX509
import PureX509Paths

// MARK: In the function
let chain = try Example().certificates.map { try Certificate(derEncoded: $0) }
let (root, leaf, intermediates, now) =
    (Example.authority.attestationRoot, chain[0], Array(chain.dropFirst()), Example.now)
