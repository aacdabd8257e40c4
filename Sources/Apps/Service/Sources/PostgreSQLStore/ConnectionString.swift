import CPostgreSQL
import Foundation

/// Requires an explicit `sslmode` for a server on another machine.
///
/// Without `sslmode`, libpq uses an unencrypted connection if the server, or an attacker in between, offers no TLS.
/// Only `verify-full` authenticates the server.
func checkConnectionString(_ string: String) throws(PostgreSQLFailure) {
    // Reject an unescaped `@` or `/` in the password. libpq would end the password there, and its error message would
    // report the rest as host or port.
    let authority = Array(string.utf8.prefix { $0 != UInt8(ascii: "?") }).split(
        separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let scheme = Array("://".utf8)
    let user = authority[0].firstRange(of: scheme).map { authority[0][$0.upperBound...] } ?? []
    guard authority.count <= 2, authority.count < 2 || !user.contains(UInt8(ascii: "/")) else {
        throw .connectionString("write @ and / in the user or password as %40 and %2F")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(string, &message) else {
        defer { PQfreemem(message) }
        // libpq's message repeats parts of the string, which may include the password.
        throw .connectionString("libpq can't read it")
    }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
    }
    // libpq takes missing values from the environment. It also takes them from a service file, if the environment or
    // the string names a service.
    let environment = ProcessInfo.processInfo.environment
    func value(_ keyword: String, _ variable: String) -> String? { values[keyword] ?? environment[variable] }
    func list(_ keyword: String, _ variable: String) -> [Substring] {
        (value(keyword, variable) ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }
    let (addresses, names) = (list("hostaddr", "PGHOSTADDR"), list("host", "PGHOST"))
    let isLocal =
        value("service", "PGSERVICE") == nil
        && (0..<max(addresses.count, names.count)).allSatisfy { index in
            // libpq uses the host name if the address is empty, and its default socket if both are empty.
            let address = index < addresses.count ? addresses[index] : ""
            let host = address.isEmpty && index < names.count ? names[index] : address
            return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@")
                || ["localhost", "127.0.0.1", "::1"].contains(host)
        }
    let isNamed = value("sslmode", "PGSSLMODE") != nil
    guard isLocal || isNamed else {
        throw .connectionString("sslmode has to be in it for a server on another machine (verify-full, best)")
    }
}
