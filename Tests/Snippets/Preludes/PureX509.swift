import PureX509

// MARK: In the function
let chain = try Example().certificates.map { try Certificate(derEncoded: $0) }
let (root, leaf, intermediates, now) =
    (Example.authority.attestationRoot, chain[0], Array(chain.dropFirst()), Example.now)
