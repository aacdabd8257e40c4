import DebugSampling
import Foundation
import PureAttest
import Testing
import VectorSupport

/// Changing any byte of a genuine object causes an error, except in the receipt, which no attestation step checks.
///
/// A debug build changes one byte in every 256 of an attestation, and a release build changes every byte.
@Suite struct MutationTests {
    #if DEBUG
        static let step = 256
    #else
        static let step = 1
    #endif

    /// Returns the range of the receipt. The decoded slice has the same indices as the input.
    private func receiptRange(of attestation: [UInt8]) throws -> Range<Int> {
        try AttestationObject(decoding: attestation[...]).receipt.indices
    }

    @Test(arguments: objects)
    func attestationFlips(_ object: ObjectFile) throws {
        let genuine = [UInt8](object.attestation)
        let receipt = try receiptRange(of: genuine)
        #expect(receipt.count > 3000 && receipt.upperBound < genuine.count)
        let verifier = object.verifier()
        let original = try object.verify(verifier)
        // Each run starts at a random byte, so that many runs together change all bytes.
        let first = Int.random(in: 0..<Self.step)
        var flips = 0
        for index in stride(from: first, to: genuine.count, by: Self.step) {
            var mutated = genuine
            mutated[index] ^= UInt8(1) << UInt8.random(in: 0...7)
            flips += 1
            if receipt.contains(index) {
                let attestation = try object.verify(verifier, attestation: mutated)
                #expect(attestation.unverifiedReceipt.unverifiedBytes != original.unverifiedReceipt.unverifiedBytes)
                #expect(attestation.unverifiedReceipt.unverifiedBytes.elementsEqual(mutated[receipt]))
                #expect(attestation.key == original.key && attestation.appID == original.appID)
                #expect(attestation.launchInformation == original.launchInformation)
                #expect(attestation.osVersion == original.osVersion)
            } else {
                #expect(throws: PureAttestError.self, "byte \(index)") {
                    try object.verify(verifier, attestation: mutated)
                }
            }
        }
        print(
            "\(object.name): \(flips) of \(genuine.count) bytes flipped, from byte \(first) in steps of \(Self.step)")
    }

    @Test(arguments: objects)
    func attestationTruncations(_ object: ObjectFile) {
        let genuine = [UInt8](object.attestation)
        let verifier = object.verifier()
        for count in debugSample(Array(genuine.indices), every: 7, of: "lengths of \(object.name)") {
            #expect(throws: PureAttestError.malformedCBOR(.unexpectedEnd)) {
                try object.verify(verifier, attestation: [UInt8](genuine.prefix(count)))
            }
        }
        #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) {
            try object.verify(verifier, attestation: genuine + [0])
        }
    }

    /// Apple, assertion step 2.
    @Test(arguments: objects.filter { !$0.assertions.isEmpty })
    func assertionFlips(_ object: ObjectFile) throws {
        #if DEBUG
            let bits = [UInt8.random(in: 0...7)]
        #else
            let bits = [UInt8](0...7)
        #endif
        let verifier = object.verifier()
        for expected in object.assertions {
            let genuine = [UInt8](expected.assertion)
            let key = try object.key(before: expected)
            for index in genuine.indices {
                for bit in bits {
                    var mutated = genuine
                    mutated[index] ^= 1 << bit
                    #expect(throws: PureAttestError.self, "byte \(index), bit \(bit)") {
                        try verifier.assertionVerifier.verifyAssertion(
                            mutated, clientDataCheckedByCaller: expected.clientData, key: key)
                    }
                }
            }
            for count in genuine.indices {
                #expect(throws: PureAttestError.malformedCBOR(.unexpectedEnd)) {
                    try verifier.assertionVerifier.verifyAssertion(
                        genuine.prefix(count), clientDataCheckedByCaller: expected.clientData, key: key)
                }
            }
            #expect(throws: PureAttestError.malformedCBOR(.trailingBytes)) {
                try verifier.assertionVerifier.verifyAssertion(
                    genuine + [0], clientDataCheckedByCaller: expected.clientData, key: key)
            }
        }
    }

    /// Verifies objects that are slices of a larger buffer instead of arrays.
    @Test(arguments: objects)
    func slices(_ object: ObjectFile) throws {
        let buffer = [0xff, 0xff, 0xff] + [UInt8](object.attestation) + [0xff]
        let slice = buffer[3..<(buffer.count - 1)]
        let attestation = try object.verifier().verifyAttestation(
            slice, keyID: ([0] + object.keyID).dropFirst(), clientDataHash: ([0] + object.clientDataHash).dropFirst(),
            at: object.time)
        let lazy = try object.verifier().verifyAttestation(
            slice.lazy.map { $0 }, keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time)
        #expect(attestation.key == lazy.key)
    }

    @Test func sizeLimits() throws {
        let device = TestDevice()
        #expect(throws: PureAttestError.inputTooLarge) {
            try device.verifier().verifyAttestation(
                [UInt8](repeating: 0xa0, count: InputLimits.attestation + 1), keyID: TestDevice.key.keyID,
                challenge: device.challenge, at: TestAuthority.time)
        }
        #expect(throws: PureAttestError.inputTooLarge) {
            try device.verifier().assertionVerifier.verifyAssertion(
                [UInt8](repeating: 0xa0, count: InputLimits.assertion + 1), clientDataCheckedByCaller: [],
                key: device.storedKey())
        }
        #expect(InputLimits.attestation == 65_536 && InputLimits.assertion == 4_096)
    }

    /// Neither the parsers nor the verifier trap if a few random bytes of an object are changed, removed or inserted.
    @Test func randomChanges() throws {
        let object = try ObjectFile.committed()
        let genuine = [UInt8](object.attestation)
        let verifier = object.verifier()
        for _ in 0..<2_000 {
            var mutated = genuine
            for _ in 0..<Int.random(in: 1...4) {
                let index = Int.random(in: 0..<mutated.count)
                switch Int.random(in: 0..<3) {
                case 0: mutated[index] = .random(in: 0...255)
                case 1: mutated.remove(at: index)
                default: mutated.insert(.random(in: 0...255), at: index)
                }
            }
            _ = try? AttestationObject(decoding: mutated[...])
            _ = try? AuthenticatorData(attestation: mutated[...])
            _ = try? AuthenticatorData(assertion: mutated[...])
            _ = try? object.verify(verifier, attestation: Array(mutated.prefix(200)))
        }
    }
}
