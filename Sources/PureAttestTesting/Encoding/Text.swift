import PureBytes

/// Base64 (RFC 4648 §4).
func base64(_ bytes: [UInt8]) -> [UInt8] { Base64.encode(bytes) }

/// Lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String { hexEncodedString(bytes) }
