import Foundation
import PostgreSQLStore
import PureAttest
import PureAttestServer
import PureAttestStoreTesting
import Testing

@Suite(.withPostgreSQL) struct PostgreSQLTLSTests {
    /// A server on a loopback port that requires TLS, and two roots. The first root issued the server's certificate for
    /// `database.example`.
    private struct Scene {
        let server: PostgreSQLServer
        let folder: TemporaryFolder
        let port: Int

        /// TLS verifies the host name; `hostaddr` contains the address.
        func string(_ parameters: String, name: String = "database.example") -> String {
            "postgresql://postgres@\(name):\(port)/postgres?hostaddr=127.0.0.1&\(parameters)"
        }

        func root(_ name: String) -> String {
            "sslrootcert="
                + (folder.url.appending(path: name + ".pem").path
                    .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
    }

    private func scene() throws -> Scene {
        let folder = try TemporaryFolder()
        func openssl(_ arguments: String) throws {
            try PostgreSQLServer.run(
                "/bin/sh", ["-c", #"cd "$0" && exec openssl "# + arguments, folder.url.path])
        }
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        for root in ["root", "other"] {
            try openssl("req -x509 \(key) -keyout \(root).key -out \(root).pem -subj /CN=\(root) -days 2")
        }
        try openssl("req \(key) -keyout server.key -out server.csr -subj /CN=nobody")
        try Data("subjectAltName=DNS:database.example\n".utf8).write(to: folder.url.appending(path: "names"))
        try openssl(
            "x509 -req -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 -extfile names -out server.pem"
        )
        let hosts = folder.url.appending(path: "hosts")
        try Data("local all all trust\nhostssl all all 127.0.0.1/32 trust\n".utf8).write(to: hosts)
        let free = try RunningService(database: "memory")
        let port = free.port
        free.kill()
        let path = folder.url.path
        let server = try PostgreSQLServer(
            in: folder, port: port,
            settings: [
                "listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=\(path)/server.pem",
                "ssl_key_file=\(path)/server.key", "hba_file=\(hosts.path)",
            ])
        return Scene(server: server, folder: folder, port: port)
    }

    @Test func theServerIsWhoItSaysOrThereIsNoStore() async throws {
        let scene = try scene()
        let store = try PostgreSQLStore(scene.string("sslmode=verify-full&" + scene.root("root")), connections: 2)
        let token = ConsumedToken(id: [1], until: UnixTime(secondsSince1970: 1))
        #expect(try await store.consume(token))
        #expect(try await !store.consume(token))
        let encrypted = try scene.server.sql(
            """
            SELECT count(*) > 0 AND bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'attest-service'
            """)
        #expect(encrypted == "t")
        for (string, reason) in [
            (scene.string("sslmode=verify-full&" + scene.root("other")), "certificate verify failed"),
            (scene.string("sslmode=verify-ca&" + scene.root("other")), "certificate verify failed"),
            (
                scene.string("sslmode=verify-full&" + scene.root("root"), name: "other.example"),
                "does not match host name"
            ),
            (scene.string("sslmode=verify-full&" + scene.root("missing")), "does not exist"),
            (scene.string("sslmode=disable"), "no encryption"),
        ] {
            let failure = #expect(throws: PostgreSQLFailure.self) { _ = try PostgreSQLStore(string) }
            guard case .unreachable(let text) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(text.contains(reason), "\(text)")
        }
    }

    /// `verify-ca` accepts every certificate that chains to the root, whatever its host name. `require` accepts any
    /// certificate.
    @Test func otherModesVerifyLess() throws {
        let scene = try scene()
        _ = try PostgreSQLStore(scene.string("sslmode=verify-ca&" + scene.root("root"), name: "other.example"))
        // libpq treats `require` as `verify-ca` if it finds a root, so `sslrootcert` names a file that does not exist.
        _ = try PostgreSQLStore(scene.string("sslmode=require&sslrootcert=/nonexistent", name: "other.example"))
    }

    @Test func conforms() async throws {
        let scene = try scene()
        let (server, string) = (scene.server, scene.string("sslmode=verify-full&" + scene.root("root")))
        let violations = await StoreConformance(tasks: 8, rounds: 1) {
            let name = "s" + UUID().uuidString.filter(\.isHexDigit).lowercased()
            try server.sql("CREATE SCHEMA \(name)")
            return try PostgreSQLStore(string + "&options=-c%20search_path%3D\(name)", connections: 4)
        }.violations()
        #expect(violations == [])
    }

    /// The environment, and not the string, names a server on another machine.
    @Test(arguments: [
        ["PGHOST": "db.example"], ["PGHOSTADDR": "192.0.2.1"], ["PGSERVICE": "db"],
        ["ATTEST_DATABASE": "postgresql:///x?service=db"], ["ATTEST_DATABASE": "postgresql://192.0.2.1/x?hostaddr="],
        ["PGHOSTADDR": "", "ATTEST_DATABASE": "postgresql://192.0.2.1/x"],
        ["ATTEST_DATABASE": "postgresql://localhost,192.0.2.1/x?hostaddr=127.0.0.1,"],
    ])
    func serversThatTheEnvironmentNamesAreOnOtherMachinesToo(_ variables: [String: String]) throws {
        let folder = try TemporaryFolder()
        let errors = folder.url.appending(path: "errors")
        let database = variables["ATTEST_DATABASE"] ?? "postgresql:///x"
        let reason = #expect(throws: RunningService.NotStarted.self) {
            _ = try RunningService(database: database, errors: errors, variables)
        }
        #expect(reason?.status == 2 && reason?.text.contains("sslmode") ?? false, "\(reason?.text ?? "")")
    }
}
