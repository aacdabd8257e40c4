public import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A network address as limits count it: of IPv4 all 32 bits, of IPv6 the first 64, as one customer has that many at least
/// (RFC 6177 §2), so that fresh addresses are no fresh allowance.
public struct ClientAddress: Hashable, Sendable {
    /// 4 bytes, 8 bytes, or none where the transport has no addresses.
    public let bytes: [UInt8]

    /// The address of a connection's other end.
    public init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            bytes = withUnsafeBytes(of: address.address.sin_addr) { [UInt8]($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { [UInt8]($0) }
            // IPv4 on a socket of IPv6 (RFC 4291 §2.5.5.2).
            bytes = all.prefix(12) == Self.mappedPrefix ? [UInt8](all.suffix(4)) : [UInt8](all.prefix(8))
        case .unixDomainSocket, nil:
            bytes = []
        }
    }

    /// An address as text, as proxies write it; `nil` if it is none.
    public init?(text: some StringProtocol) {
        let trimmed = text.drop { $0 == " " }
        guard trimmed.utf8.count <= 64, let address = try? SocketAddress(ipAddress: String(trimmed), port: 0) else {
            return nil
        }
        self.init(address)
    }

    private static let mappedPrefix: ArraySlice<UInt8> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
}
