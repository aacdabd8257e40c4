// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declares the parts of Apple's CryptoKit that the adapter uses.
import Foundation

public struct SHA256Digest: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8](repeating: 0, count: 32).makeIterator() }
}

public enum SHA256 {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
