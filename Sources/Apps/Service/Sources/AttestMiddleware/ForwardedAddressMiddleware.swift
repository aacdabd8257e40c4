import HTTPTypes
public import Hummingbird
import PureAttestServer

/// Sets the client address from a header that the service's own proxy writes.
///
/// Use this middleware only if no client can bypass the proxy, because such a client could write any address.
public struct ForwardedAddressMiddleware<Context: AttestRequestContext>: RouterMiddleware {
    private let header: HTTPField.Name

    /// - Parameter header: the header to which the proxy appends the address, such as `X-Forwarded-For`. Clients can
    ///   write all earlier elements.
    public init(_ header: HTTPField.Name) { self.header = header }

    /// Sets the client address. Rejects a request if the last element of the header is not an address.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let line = request.headers[fields: header].last,
            let address = ClientAddress(forwarded: Array(line.value.utf8))
        else { throw RequestFault.malformed(header.rawName) }
        var context = context
        context.attest.clientAddress = address
        return try await next(request, context)
    }
}

extension ClientAddress {
    /// Parses the last element of a field value (RFC 9110 §5.6.1), and ignores optional whitespace around it.
    ///
    /// Accepts a plain address, which most proxies write, and the forms `[::1]` and `[::1]:port`. Also accepts
    /// `1.2.3.4:port`, which Azure Application Gateway and AWS load balancers may write. Rejects IPv6 addresses with a
    /// zone, because a zone names a network interface of the proxy, and a client can write any zone.
    package init?(forwarded value: [UInt8]) {
        let start = value.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0
        let element = value[start...].trimmingWhitespace
        guard !element.contains(UInt8(ascii: "%")) else { return nil }
        if element.first == UInt8(ascii: "[") {
            guard let end = element.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let address = Array(element[(element.startIndex + 1)..<end])
            guard address.contains(UInt8(ascii: ":")), Self.isPort(element[(end + 1)...], isOptional: true) else {
                return nil
            }
            self.init(ipAddress: address)
        } else if let colon = element.firstIndex(of: UInt8(ascii: ":")), element[..<colon].contains(UInt8(ascii: ".")) {
            guard Self.isPort(element[colon...], isOptional: false) else { return nil }
            self.init(ipAddress: Array(element[..<colon]))
        } else {
            self.init(ipAddress: Array(element))
        }
    }

    /// Returns whether `text` is a colon and a number below 65,536.
    private static func isPort(_ text: ArraySlice<UInt8>, isOptional: Bool) -> Bool {
        guard let colon = text.first else { return isOptional }
        let digits = text.dropFirst()
        return colon == UInt8(ascii: ":") && 1...5 ~= digits.count
            && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            && digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
    }
}
