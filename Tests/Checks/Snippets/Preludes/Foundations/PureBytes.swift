import PureBytes

// MARK: In the function
let message: [UInt8] = [1, 0, 0, 0, 2, 8, 9]
struct InvalidLength: Error {}
