import PureAttest
import PureBytes
import PureCBOR
import PureDER
import PureECDSA
import PureX509
import Testing

/// An error description truncates and escapes text that the device chose.
@Suite struct PureAttestErrorDescriptionTests {
    @Test func bundleVersions() {
        let nines = String(repeating: "9", count: 40)
        for (version, text): (String, String) in [
            ("1.0.3", #""1.0.3""#), ("", #""""#), ("4.2\n2026-11-22 accepted", #""4.2\n2026-11-22 accepted""#),
            ("\u{1b}[2J", #""\u{1B}[2J""#), ("\"", #""\"""#), ("\\", #""\\""#), ("é\u{202e}", #""\u{00E9}\u{202E}""#),
            (nines, "\"\(nines)\""), (nines + "9", "\"\(nines)\"... (41 bytes)"),
            (String(repeating: "9", count: 4_000), "\"\(nines)\"... (4000 bytes)"),
        ] {
            let bundleVersion = BundleVersion(utf8: version.utf8)
            #expect(String(reflecting: bundleVersion) == text)
            #expect("\(bundleVersion)" == version)
            let error = PureAttestError.bundleVersionNotAllowed(bundleVersion)
            #expect("\(error)" == "the launch policy does not accept bundle version \(text)")
        }
        // The description truncates this text inside a character.
        let long = BundleVersion(utf8: [UInt8](repeating: 0x39, count: 39) + [0xC3, 0xA9])
        #expect(String(reflecting: long).hasSuffix(#"\u{FFFD}"... (41 bytes)"#))
    }

    /// Each module describes its own errors. A module that wraps such an error only prepends the subject.
    @Test func sentencesOfTheLowerModules() {
        let truncated = DERError.unexpectedEnd
        // 2026-03-04 and 2026-06-01.
        let date = UnixTime(secondsSince1970: 1_772_582_400), later = UnixTime(secondsSince1970: 1_780_272_000)
        let texts: [(any Error, String)] = [
            (truncated, "the DER ends inside an element"),
            (
                DERError.unexpectedTag(expected: .sequence, found: .integer), "expected DER tag 16, found 2"
            ),
            (
                CBORError.reservedAdditionalInformation(28),
                "a CBOR head has the invalid additional information 28"
            ),
            (ECDSAError.malformedDER(truncated), "\(truncated)"),
            (ECDSAError.malformedPEM(.noBlock), "the text has no PEM block"),
            (X509Error.malformed(.subject, truncated), "a certificate's subject is malformed: \(truncated)"),
            (X509Error.malformed(.signedData, truncated), "the structure of signed data is malformed: \(truncated)"),
            (
                X509Error.expired(certificate: 0, notAfter: date, at: later),
                "the leaf certificate expired on 2026-03-04 (checked at 2026-06-01)"
            ),
            (
                X509Error.expired(certificate: 1, notAfter: date, at: date.adding(1)),
                "the leaf's issuer expired on 2026-03-04T00:00:00Z (checked at 2026-03-04T00:00:01Z)"
            ),
            (
                X509Error.notYetValid(certificate: 2, notBefore: later, at: UnixTime(secondsSince1970: .min)),
                "certificate 2 is not valid before 2026-06-01T00:00:00Z (checked at \(Int64.min) s since 1970)"
            ),
            (
                PureAttestError.receiptExpired(expirationTime: date, at: later),
                "receipt: it expired on 2026-03-04 (checked at 2026-06-01)"
            ),
            (
                PureAttestError.receiptTooOld(created: date, at: later),
                "receipt: it is too old: made on 2026-03-04 (checked at 2026-06-01)"
            ),
            (
                PureAttestError.attestationTooOld(made: date, at: later),
                "age: the attestation is too old: made on 2026-03-04 (checked at 2026-06-01)"
            ),
            (
                PureAttestError.keyTooOld(attestedAt: date, at: later),
                "age: the key is too old: attested on 2026-03-04 (checked at 2026-06-01)"
            ),
            (
                PureAttestError.certificate(.invalidPublicKey(.pointNotOnCurve)),
                "step 1: a certificate's public key is invalid: the point is not on the curve"
            ),
        ]
        for (error, text) in texts { #expect("\(error)" == text) }
    }
}
