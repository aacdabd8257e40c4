import PureSHA2

// MARK: In the function
let (message, head, tail, key, code) =
    (
        Array("message".utf8), Array("mess".utf8), Array("age".utf8), [UInt8](repeating: 1, count: 32),
        [UInt8](repeating: 0, count: 32)
    )
