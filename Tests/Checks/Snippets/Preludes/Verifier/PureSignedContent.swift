import PureSignedContent

// MARK: In the function
let (body, challenge, keyID) = ([UInt8](), Example.challenge, [UInt8](repeating: 1, count: 32))
