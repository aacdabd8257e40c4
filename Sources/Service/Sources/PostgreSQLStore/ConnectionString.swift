import CPostgreSQL
import Foundation

/// What is asked of a connection string before it is used.
///
/// Without `sslmode` libpq speaks without TLS to a server that offers none, and to whoever is between. To a server on another machine
/// that has to be written down: `verify-full` is what keeps others out.
func checkConnectionString(_ string: String) throws(PostgreSQLFailure) {
    // libpq ends the password at the first of these characters and reports what follows, part of the password, as host or port.
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
        // libpq's text repeats parts of the string, which may be the password.
        throw .connectionString("libpq can't read it")
    }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
    }
    // What the string leaves out libpq takes from the environment or, where that or the string names a service, from a file of its own.
    let environment = ProcessInfo.processInfo.environment
    func value(_ keyword: String, _ variable: String) -> String? { values[keyword] ?? environment[variable] }
    func list(_ keyword: String, _ variable: String) -> [Substring] {
        (value(keyword, variable) ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }
    let (addresses, names) = (list("hostaddr", "PGHOSTADDR"), list("host", "PGHOST"))
    let isLocal =
        value("service", "PGSERVICE") == nil
        && (0..<max(addresses.count, names.count)).allSatisfy { index in
            // An address that is empty is none: libpq then goes by the name, and where that is empty too, to its own socket.
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
