import CertificateDrafts
import PureAttest
import PureSHA2
import Testing
@Suite struct AppTests {
    @Test func forms() {
        let app = AppID(teamID: "1234567890", bundleID: "com.example.myapp")
        #expect(app.bytes == [UInt8]("1234567890.com.example.myapp".utf8) && app.platform == .device)
        #expect(app.rpIDHash == [UInt8](SHA256.hash(data: app.bytes)))
        #expect(AppID(prefix: "1234567890", bundleID: "com.example.myapp") == app)
        #expect(AppID(bytes: app.bytes) == app && app.description == "1234567890.com.example.myapp")
        let mac = AppID(teamID: "1234567890", macOSSigningIdentifier: "com.example.myapp")
        #expect(mac != app && mac.platform == .macOS && mac.rpIDHash == app.rpIDHash)
        // App IDs are not normalised, so composed and decomposed letters make different App IDs.
        #expect(AppID(teamID: "T", bundleID: "é") != AppID(teamID: "T", bundleID: "e\u{301}"))
    }

    /// The access control list that Apple documents for a Mac with Full Security and SIP.
    static let documentedList: [UInt8] =
        [0x30, 0x40, 0x0c, 0x02, 0x31, 0x31, 0x30, 0x3a, 0x30, 0x09, 0x0c, 0x02, 0x6f, 0x6b, 0xa1, 0x03, 0x01, 0x01]
        + [0xff, 0x30, 0x09, 0x0c, 0x02, 0x6f, 0x61, 0xa1, 0x03, 0x01, 0x01, 0xff, 0x30, 0x0b, 0x0c, 0x04, 0x6f, 0x64]
        + [0x65, 0x6c, 0xa1, 0x03, 0x01, 0x01, 0xff, 0x30, 0x15, 0x0c, 0x04, 0x6f, 0x73, 0x67, 0x6e, 0xa0, 0x06, 0x0c]
        + [0x04, 0x72, 0x73, 0x65, 0x63, 0x30, 0x05, 0xa6, 0x03, 0x02, 0x01, 0x01]

    private func device(_ app: AppID, list: [UInt8]?) -> TestDevice {
        var device = TestDevice()
        device.appID = app
        device.moreLeafExtensions =
            list.map { [DER.certificateExtension(TestDevice.accessControlIdentifier, $0)] } ?? []
        return device
    }

    @Test func accessControlListOnMacOS() throws {
        let mac = AppID(teamID: "ABCDE12345", macOSSigningIdentifier: "com.example.mac")
        let wrapped = DER.sequence(DER.context(3, DER.octets(Self.documentedList)))
        #expect(try device(mac, list: wrapped).verify().appID == mac)
        for index in Self.documentedList.indices {
            var list = Self.documentedList
            list[index] ^= 1
            if index % 16 > 0 { continue }
            #expect(throws: PureAttestError.accessControlListMismatch) {
                try device(mac, list: DER.sequence(DER.context(3, DER.octets(list)))).verify()
            }
        }
        for malformed in [
            nil, [], Self.documentedList, DER.sequence(DER.context(1, DER.octets(Self.documentedList))),
            wrapped + [5, 0],
        ] {
            #expect(throws: PureAttestError.accessControlListMissing) { try device(mac, list: malformed).verify() }
        }
    }

    /// iOS 26.2 and later send a different access control list; earlier systems send none. Only Macs' lists are
    /// compared.
    @Test func accessControlListElsewhere() throws {
        let app = AppID(teamID: "ABCDE12345", bundleID: "com.example.test")
        for list in [nil, [], DER.sequence(DER.context(3, DER.octets([0x30, 0x00])))] {
            #expect(throws: Never.self) { try device(app, list: list).verify() }
        }
    }

    /// The result contains the system version from the leaf, if it is readable. This version never causes a rejection.
    @Test func systemVersion() throws {
        let identifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x08, 0x07]
        func version(_ value: [UInt8]) throws -> String? {
            var device = TestDevice()
            device.moreLeafExtensions = [DER.certificateExtension(identifier, value)]
            return try device.verify().osVersion
        }
        let tag: [UInt8] = [0xbf, 0x8a, 0x78, 0x06]
        #expect(try version(DER.sequence(tag + DER.octets([UInt8]("26.1".utf8)))) == "26.1")
        let other = [0xbf, 0x88, 0x50, 0x03, 0x02, 0x01, 0x02] as [UInt8]
        #expect(try version(DER.sequence(other, tag + DER.octets([UInt8]("27.0".utf8)), other)) == "27.0")
        #expect(try version(DER.sequence(other)) == nil)
        #expect(try version(DER.sequence(tag + [0x0c, 0x04, 0x32, 0x37, 0x2e, 0x30])) == nil)
        #expect(try TestDevice().verify().osVersion == nil)
    }
}
