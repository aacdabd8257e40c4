import PureAttest
import Testing

/// Both maps of an attestation object must contain exactly the specified members, with the right types.
@Suite struct AttestationObjectTests {
    private typealias Members = [(name: String, value: [UInt8])]

    private static let statement: Members = [
        ("x5c", CBOR.array([CBOR.bytes([1]), CBOR.bytes([2])])), ("receipt", CBOR.bytes([3])),
    ]

    private func map(_ members: Members) -> [UInt8] { CBOR.map(members.map { (CBOR.text($0.name), $0.value) }) }

    private func object(
        statement: [UInt8]? = nil, _ change: (inout Members) -> Void = { _ in }
    ) throws(PureAttestError) -> AttestationObject {
        var members: Members = [
            ("fmt", CBOR.text("apple-appattest")), ("attStmt", statement ?? map(Self.statement)),
            ("authData", CBOR.bytes([4, 5])),
        ]
        change(&members)
        return try AttestationObject(decoding: map(members)[...])
    }

    @Test func members() throws {
        let object = try object()
        #expect(object.certificates == [[1], [2]] && object.receipt == [3] && object.authenticatorData == [4, 5])
        #expect(try self.object { $0.reverse() }.authenticatorData == [4, 5])
    }

    @Test(arguments: 0..<3) func outerMap(_ index: Int) {
        let refused = PureAttestError.malformedAttestationObject
        #expect(throws: refused) { try object { $0.remove(at: index) } }
        #expect(throws: refused) { try object { $0.insert(("more", CBOR.unsigned(0)), at: index) } }
        #expect(throws: refused) { try object { $0[index].name += "x" } }
        #expect(throws: index == 0 ? .unsupportedFormat : refused) { try object { $0[index].value = CBOR.unsigned(0) } }
    }

    @Test(arguments: 0..<2) func statement(_ index: Int) {
        func rejects(_ change: (inout Members) -> Void) {
            var members = Self.statement
            change(&members)
            #expect(throws: PureAttestError.malformedAttestationObject) { try object(statement: map(members)) }
        }
        rejects { $0.remove(at: index) }
        rejects { $0.insert(("more", CBOR.unsigned(0)), at: index) }
        rejects { $0[index].name += "x" }
        rejects { $0[index].value = CBOR.unsigned(0) }
    }

    @Test func certificatesAreByteStrings() {
        let members: Members = [("x5c", CBOR.array([CBOR.bytes([1]), CBOR.text("2")])), Self.statement[1]]
        #expect(throws: PureAttestError.malformedAttestationObject) { try object(statement: map(members)) }
    }
}
