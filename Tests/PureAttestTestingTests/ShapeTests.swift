import Foundation
import PureAttest
import PureCBOR
import Testing
import VectorSupport

@testable import PureAttestTesting

/// Objects of virtual devices have the same structure as genuine objects.
@Suite struct ShapeTests {
    /// Each genuine object, with the simulated system that corresponds to the object's device.
    static let pairs: [(name: String, system: DeviceSystem)] = [
        ("apple-guide-2026", .iOS27), ("veehaitch-ios-14.3", .iOS14), ("warden-supreme-keyattestation", .iOS17),
    ]
    static let genuine: [ObjectFile] = {
        do { return try ObjectFile.all() } catch { fatalError("unreadable object file: \(error)") }
    }()

    /// Returns a virtual device with the same app, time, environment and launch information as the device of `object`.
    static func twin(of object: ObjectFile, system: DeviceSystem) -> VirtualDevice {
        VirtualDevice(
            app: AppID(bytes: object.appID.utf8),
            environment: object.environment == "production" ? .production : .development, system: system,
            authority: Setting.authority, seed: 1, time: UnixTime(secondsSince1970: object.verifyAt),
            validationCategory: ValidationCategory(rawValue: object.expect.validationCategory ?? 0),
            bundleVersion: BundleVersion(utf8: (object.expect.bundleVersion ?? "").utf8))
    }

    @Test(arguments: genuine.filter { object in pairs.contains { $0.name == object.name } })
    func attestation(_ object: ObjectFile) throws {
        let system = try #require(Self.pairs.first { $0.name == object.name }).system
        let device = Self.twin(of: object, system: system)
        let minted = try device.attestKey(device.generateKey(), clientDataHash: object.clientDataHash)
        #expect(
            Shape.ofCBOR(try CBORValue(decoding: minted)) == Shape.ofCBOR(try CBORValue(decoding: object.attestation)))

        let (ours, theirs) = (try Parts(minted), try Parts(object.attestation))
        #expect(ours.certificates.count == 2 && theirs.certificates.count == 2)
        for (our, their) in zip(ours.certificates, theirs.certificates) {
            #expect(Shape.ofDER(our) == Shape.ofDER(their))
        }
        // The authenticator data of both objects is equal except for the key and the key identifier.
        let (our, their) = (ours.authenticatorData, theirs.authenticatorData)
        #expect(our.count == their.count)
        #expect(our.prefix(55) == their.prefix(55))
        #expect(our.dropFirst(164) == their.dropFirst(164))
        #expect(
            Shape.ofCBOR(try CBORValue(decoding: our[87..<164]))
                == Shape.ofCBOR(try CBORValue(decoding: their[87..<164])))

        #expect(Shape.ofDER(ours.receipt) == Shape.ofDER(theirs.receipt))
        #expect(try payloadShape(ours.receipt) == payloadShape(theirs.receipt))
    }

    @Test(arguments: genuine.filter { !$0.assertions.isEmpty })
    func assertion(_ object: ObjectFile) throws {
        let device = Self.twin(of: object, system: .iOS14)
        let keyID = device.generateKey()
        _ = try device.attestKey(keyID, clientDataHash: [1])
        let minted = try AssertionObject(decoding: device.generateAssertion(keyID, clientDataHash: [1])[...])
        let genuine = try AssertionObject(decoding: [UInt8](object.assertions[0].assertion)[...])
        #expect(minted.authenticatorData == genuine.authenticatorData)
        #expect(Shape.ofDER(minted.signature) == Shape.ofDER(genuine.signature))
    }

    @Test(arguments: genuine.filter { $0.receipts.count > 1 })
    func assessedReceipt(_ object: ObjectFile) throws {
        for receipt in object.receipts {
            guard let genuine = receipt.receipt, receipt.fields["riskMetric"] != nil else { continue }
            let device = VirtualDevice(
                app: AppID(bytes: object.appID.utf8),
                environment: object.environment == "production" ? .production : .development, system: .iOS14,
                authority: Setting.authority, seed: 1,
                time: Setting.time, receiptEncoding: receipt.indefiniteLength ? .indefiniteLength : .definiteLength)
            let keyID = device.generateKey()
            _ = try device.attestKey(keyID, clientDataHash: object.clientDataHash)
            let minted = try device.assessedReceipt(for: keyID, riskMetric: 3)
            #expect(Shape.ofDER(minted) == Shape.ofDER(genuine))
            #expect(try payloadShape(minted) == payloadShape([UInt8](genuine)))
            // Field 4 contains the client data hash, decoded as text although the hash is not text.
            let field = try #require(payload(minted).first { $0.type == [4] })
            #expect(try payload([UInt8](genuine)).contains { $0.type == [4] && $0.value == field.value })
        }
    }

    @Test(
        .enabled(if: ObjectFile.extraDirectory != nil, "PUREATTEST_EXTRA_VECTORS is not set: only iOS 27 was compared"))
    func nothingWasSkipped() {
        #expect(Self.pairs.allSatisfy { pair in Self.genuine.contains { $0.name == pair.name } })
        #expect(Self.genuine.filter { !$0.assertions.isEmpty }.count == 3)
        #expect(Self.genuine.filter { $0.receipts.count > 1 }.count == 3)
    }

    private struct Parts {
        let certificates: [[UInt8]]
        let receipt: [UInt8]
        let authenticatorData: [UInt8]

        init(_ attestation: some Collection<UInt8>) throws {
            let object = try AttestationObject(decoding: ArraySlice(Array(attestation)))
            certificates = object.certificates.map { [UInt8]($0) }
            receipt = [UInt8](object.receipt)
            authenticatorData = [UInt8](object.authenticatorData)
        }
    }

    /// Returns the types, versions and lengths of the payload fields, but not the lengths of certificates, signatures,
    /// numbers and times, which vary. For example, Apple writes one to three digits for the fraction of a second.
    private func payloadShape(_ receipt: [UInt8]) throws -> [String] {
        try payload(receipt).map { field in
            let varies = [[3], [12], [17], [19], [21]].contains(field.type)
            return "\(field.type) \(field.version) \(varies ? 0 : field.value.count)"
        }
    }

    private func payload(_ receipt: [UInt8]) throws -> [(type: [UInt8], version: [UInt8], value: [UInt8])] {
        let payload = try #require(receiptPayload(receipt))
        return DERTree(payload).children.map { field in
            (field.children[0].content, field.children[1].content, field.children[2].content)
        }
    }
}

/// A BER element with its children. Malformed input may trap.
struct DERTree {
    let tag: UInt8
    let content: [UInt8]
    let children: [DERTree]

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init(readingFrom: &rest)
    }

    private init(readingFrom rest: inout ArraySlice<UInt8>) {
        tag = rest.removeFirst()
        var length = Int(rest.removeFirst())
        var children: [DERTree] = []
        if length == 0x80 {
            while rest.first != 0 { children.append(DERTree(readingFrom: &rest)) }
            rest = rest.dropFirst(2)
            content = []
        } else {
            if length > 0x80 {
                length = (0..<(length & 0x7F)).reduce(0) { sum, _ in sum << 8 | Int(rest.removeFirst()) }
            }
            var contents = rest.prefix(length)
            rest = rest.dropFirst(length)
            content = [UInt8](contents)
            if tag & 0x20 != 0 { while !contents.isEmpty { children.append(DERTree(readingFrom: &contents)) } }
        }
        self.children = children
    }
}

func receiptPayload(_ receipt: [UInt8]) -> [UInt8]? {
    // ContentInfo { oid, [0] { SignedData { version, algorithms, EncapsulatedContentInfo { oid, [0] { content }}}}}
    let content = DERTree(receipt).children[1].children[0].children[2].children[1].children[0]
    return content.tag == 0x24 ? content.children.flatMap(\.content) : content.content
}
