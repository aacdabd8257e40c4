import PureX509

// MARK: In the function
let (root, now) = (Example.authority.attestationRoot, Example.now)
