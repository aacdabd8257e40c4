import PureDER
import PureX509
import Testing

@testable import PureAttest

/// A chain is valid if all its certificates are valid at one moment that differs from the given time by at most the
/// clock skew. Apple, attestation step 1. RFC 5280 §6.1.3 (a)(2).
@Suite struct ClockSkewTests {
    /// Validity periods in minutes after 2023-11-15T00:00:00Z. Some periods end before they start.
    private static let ranges: [(first: Int, last: Int)] = (0...4).flatMap { first in (0...4).map { (first, $0) } }

    private static func time(_ minute: Int) -> UnixTime {
        UnixTime(secondsSince1970: 1_700_006_400 + 60 * Int64(minute))
    }

    private static func text(_ minute: Int) -> String { "23111500\(minute < 10 ? "0" : "")\(minute)00Z" }

    private static func validity(_ range: (first: Int, last: Int)) -> (String, String) {
        (text(range.first), text(range.last))
    }

    private static func authority(_ range: (first: Int, last: Int)) -> TestAuthority {
        TestAuthority(
            "Test CA 1", TestKey(0x2345_6789_abcd_ef12), issuer: .root, validity: validity(range))
    }

    private static func leaf(_ range: (first: Int, last: Int)) -> [UInt8] {
        TestAuthority.certificate(
            subject: "leaf", TestDevice.key, issuer: "Test CA 1", TestAuthority.intermediate.key,
            validity: validity(range), extensions: TestDevice.leafExtensions)
    }

    private func rejection(
        leaf: (Int, Int), authority: (Int, Int), at minute: Int, skew: Int
    ) throws -> PureAttestError? {
        let object = try AttestationObject(
            decoding: TestDevice.object(
                certificates: [Self.leaf(leaf), Self.authority(authority).certificate], receipt: [],
                authenticatorData: [])[...])
        do {
            _ = try TestDevice().verifier(clockSkew: UInt32(60 * skew))
                .verifyCertificateChain(object.certificates, at: Self.time(minute))
            return nil
        } catch let error as PureAttestError { return error }
    }

    /// Tries all combinations of two validity periods, a time and a skew. The verifier must choose a moment within the
    /// skew: the nearest moment at which both certificates are valid, if there is one. Without skew, it must choose the
    /// given time.
    @Test func everyPosition() throws {
        let certificates = try Self.ranges.map { try Certificate(derEncoded: Self.leaf($0)) }
        let verifiers = try (0...3).map { try TestDevice().verifier(clockSkew: UInt32(60 * $0)) }
        var wrong: [String] = []
        for (leaf, leafRange) in zip(certificates, Self.ranges) {
            for (authority, authorityRange) in zip(certificates, Self.ranges) {
                for minute in -3...7 {
                    for (skew, verifier) in verifiers.enumerated() {
                        let found = verifier.evaluationTime(for: leaf, authority, at: Self.time(minute))
                        let areValid = leaf.isValid(at: found) && authority.isValid(at: found)
                        // Validity periods begin and end at whole minutes, so the nearest moment is a whole minute too.
                        let nearest = (minute - skew...minute + skew).filter {
                            leafRange.first <= $0 && $0 <= leafRange.last && authorityRange.first <= $0
                                && $0 <= authorityRange.last
                        }.map { abs($0 - minute) }.min()
                        let distance = Int(abs(found.secondsSince1970 - Self.time(minute).secondsSince1970))
                        let isRight =
                            nearest.map { areValid && distance == 60 * $0 } ?? (!areValid && distance <= 60 * skew)
                        if !isRight { wrong.append("\(leafRange) \(authorityRange) at \(minute) ± \(skew)") }
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func allOfTheChain() throws {
        // In the first loop, one certificate becomes valid a minute before the other. In the second, one expires a
        // minute before the other.
        for (leaf, authority) in [((0, 4), (1, 4)), ((1, 4), (0, 4))] {
            #expect(try rejection(leaf: leaf, authority: authority, at: 0, skew: 1) == nil)
            #expect(try rejection(leaf: leaf, authority: authority, at: -1, skew: 2) == nil)
        }
        for (leaf, authority) in [((0, 4), (0, 3)), ((0, 3), (0, 4))] {
            #expect(try rejection(leaf: leaf, authority: authority, at: 4, skew: 1) == nil)
            #expect(try rejection(leaf: leaf, authority: authority, at: 5, skew: 2) == nil)
        }
        // The leaf's validity ends at the moment at which its issuer's validity begins: the only possible moment.
        #expect(try rejection(leaf: (0, 2), authority: (2, 4), at: 0, skew: 2) == nil)
        #expect(try rejection(leaf: (0, 2), authority: (2, 4), at: 4, skew: 2) == nil)
    }

    /// Without a common moment within the skew, the error names the certificate at fault and the reason.
    @Test func noMoment() throws {
        typealias Minutes = (Int, Int)
        // The error states the given time, whatever the skew is.
        func expect(
            notYetValid certificate: Int, leaf: Minutes, authority: Minutes, at minute: Int, skew: Int,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let notBefore = Self.time((certificate == 0 ? leaf : authority).0)
            let error = X509Error.notYetValid(certificate: certificate, notBefore: notBefore, at: Self.time(minute))
            let refused = try rejection(leaf: leaf, authority: authority, at: minute, skew: skew)
            #expect(refused == .certificate(error), sourceLocation: sourceLocation)
        }
        func expect(
            expired certificate: Int, leaf: Minutes, authority: Minutes, at minute: Int, skew: Int,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let notAfter = Self.time((certificate == 0 ? leaf : authority).1)
            let error = X509Error.expired(certificate: certificate, notAfter: notAfter, at: Self.time(minute))
            let refused = try rejection(leaf: leaf, authority: authority, at: minute, skew: skew)
            #expect(refused == .certificate(error), sourceLocation: sourceLocation)
        }
        // One certificate's validity begins after the latest moment within the skew, or ends before the earliest.
        try expect(notYetValid: 1, leaf: (0, 4), authority: (2, 4), at: 0, skew: 1)
        try expect(notYetValid: 0, leaf: (2, 4), authority: (0, 4), at: 0, skew: 1)
        try expect(notYetValid: 0, leaf: (3, 4), authority: (2, 4), at: 0, skew: 2)
        try expect(expired: 1, leaf: (0, 4), authority: (0, 2), at: 4, skew: 1)
        try expect(expired: 0, leaf: (0, 2), authority: (0, 4), at: 4, skew: 1)
        // Each certificate is valid at some moment within the skew, but there is no moment at which both are valid.
        try expect(expired: 1, leaf: (3, 4), authority: (0, 2), at: 2, skew: 3)
        try expect(notYetValid: 1, leaf: (0, 1), authority: (3, 4), at: 2, skew: 3)
        // The validity of one certificate ends before it begins.
        try expect(expired: 0, leaf: (3, 1), authority: (0, 4), at: 2, skew: 2)
        try expect(notYetValid: 0, leaf: (3, 1), authority: (0, 4), at: 2, skew: 0)
        try expect(expired: 0, leaf: (2, 1), authority: (0, 4), at: 2, skew: 1)
        try expect(expired: 0, leaf: (2, 1), authority: (0, 4), at: 3, skew: 3)
        try expect(notYetValid: 1, leaf: (0, 4), authority: (3, 1), at: 2, skew: 2)
        // Without skew, only the given time applies.
        try expect(notYetValid: 1, leaf: (0, 4), authority: (2, 4), at: 1, skew: 0)
        try expect(expired: 1, leaf: (0, 4), authority: (0, 2), at: 3, skew: 0)
        #expect(try rejection(leaf: (0, 4), authority: (2, 3), at: 2, skew: 0) == nil)
        #expect(try rejection(leaf: (0, 4), authority: (2, 3), at: 3, skew: 0) == nil)
    }
}
