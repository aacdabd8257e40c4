import ReferenceModel

/// A generated source file.
public struct GeneratedFile: Sendable {
    /// The path relative to the root of the package.
    public let path: String
    /// The whole text.
    public let text: String
}

/// Computes the committed tables from the reference model, without the library that uses them.
public enum GeneratedTables {
    /// The names of the tables.
    public enum Table: String, CaseIterable, Sendable {
        case p256Generator, p384Generator, appleKeys
    }

    /// Computes one file. In a release build, the table of P-256 takes about a second, and the other tables take a few
    /// seconds each.
    public static func file(_ table: Table) -> GeneratedFile {
        switch table {
        case .p256Generator: generatorTable(.p256, name: "P256")
        case .p384Generator: generatorTable(.p384, name: "P384")
        case .appleKeys: appleKeyTables()
        }
    }

    private static let notice =
        "// Generated: `swift run generate-tables` writes it, `--check` compares. Do not edit.\n"

    // These constants are the geometry of the generated tables. A scalar is cut into parts of `partBits` bits. Keys
    // without tables use only part 0, in which the generator's windows are 10 bits wide. Compared with 8 bits, this
    // width is 2 % faster, and the table is 12 KB (P-256) or 18 KB (P-384) larger. Embedded Swift uses the smallest
    // table that the same code can read, which has one part. Otherwise, most of a WebAssembly module would consist of
    // tables.
    private static let partBits = 32
    private static let window = 10, upperWindow = 8, embeddedWindow = 5
    private static let rootWindow = 5, intermediateWindow = 7

    /// Returns a file with the table of the generator G. For part j of a scalar, the table contains
    /// k·2^(partBits·j)·G for each odd k below 2^(window − 1).
    private static func generatorTable(_ curve: ModelCurve, name: String) -> GeneratedFile {
        let limbs = curve.limbCount
        let parts = splitMultiples(of: curve.generator, on: curve, window: upperWindow)
        func part0(_ window: Int, _ shape: String) -> String {
            let multiples = oddMultiples(of: curve.generator, on: curve, count: 1 << (window - 2))
            return """
                        static var shape: WindowShape { \(shape) }
                        static var window: Int { \(window) }
                        static let part0: InlineArray<\(2 * limbs << (window - 2)), UInt64> = [
                \(multiples.map { "    " + $0 }.joined(separator: "\n"))
                        ]
                """
        }
        let upperLimbs = 2 * limbs * (parts.count - 1) << (upperWindow - 2)
        let text = """
            \(notice)
            /// Odd multiples of the generator in a table of this shape. The point of index i in part j is (2i + 1)·2^(partBits·j)·G:
            /// x then y, each \(limbs) limbs in the Montgomery domain, least significant first.
            enum \(name)GeneratorTable {
                // Part 0, with windows of another width. A key seen for the first time needs only this part.
                #if hasFeature(Embedded)
            \(part0(embeddedWindow, "WindowShape(window: \(embeddedWindow), partBits: \(64 * limbs))"))
                #else
            \(part0(window, "WindowShape(window: \(upperWindow), partBits: \(partBits))"))
                #endif

                /// Parts 1 to \(parts.count - 1), for keys with tables. Their scalars are cut into parts.
                #if !hasFeature(Embedded)
                    static let upperParts: InlineArray<\(upperLimbs), UInt64> = [
            \(parts.dropFirst().joined().map { "    " + $0 }.joined(separator: "\n"))
                    ]
                #endif
            }

            """
        return GeneratedFile(path: "Sources/PureECDSA/Generated/\(name)GeneratorTable.swift", text: text)
    }

    /// Returns the tables of the two keys in `Sources/PureAttest/AppleRoots.swift`. A test compares the tables with
    /// these keys.
    private static func appleKeyTables() -> GeneratedFile {
        let root = ModelPoint.point(
            x: BigUInt(
                hex: """
                    4531e198 b5b4ec04 da150204 5704ed4f 877272d7 6135b261
                    16cfc88b 615d0a00 0719ba69 858dfe77 caa3b839 e020ddd6
                    """),
            y: BigUInt(
                hex: """
                    56141404 702831e4 3f70b88f d6c394b6 08ea2bd6 ae61e9f5
                    98c12f46 af529372 66e57f14 eb61fec5 30f7144f 53812e35
                    """))
        let intermediate = ModelPoint.point(
            x: BigUInt(
                hex: """
                    ae5b37a0 774d79b2 358f40e7 d1f22626 f1c25fef 17802dea
                    b3826a59 874ff8d2 ad152578 9aa26604 191248b6 3cb96706
                    """),
            y: BigUInt(
                hex: """
                    9e98d363 bd5e370f bfa08e32 9e8073a9 85e7746e a359a2f6
                    6f29db32 af455e21 1658d567 af9e267e b2614dc2 1a66ce99
                    """))
        func table(_ name: String, _ comment: String, _ point: ModelPoint, window: Int) -> String {
            let lines = splitMultiples(of: point, on: .p384, window: window).joined()
            return """
                    /// \(comment)
                    static let \(name)Window = \(window)
                    static let \(name): InlineArray<\(3 * lines.count), UInt64> = [
                \(lines.joined(separator: "\n"))
                    ]
                """
        }
        let text = """
            \(notice)
            /// Apple's two attestation keys as tables for `P384.Signing.PrecomputedPublicKey`: the point of index i in part j is
            /// (2i + 1)·2^(partBits·j)·Q, 0 ≤ i < 2^(window − 2), x then y, each 6 limbs in the Montgomery domain, least significant first.
            enum AppleKeyTables {
                static let partBits = \(partBits)

            \(table("root", "The key of Apple App Attestation Root CA.", root, window: rootWindow))

            \(table("intermediate", "The key of Apple App Attestation CA 1.", intermediate, window: intermediateWindow))
            }

            """
        return GeneratedFile(path: "Sources/PureAttest/Generated/AppleKeyTables.swift", text: text)
    }

    /// Returns, for each part j, the source lines of (2i + 1)·2^(partBits·j)·Q for i < 2^(window − 2).
    private static func splitMultiples(of point: ModelPoint, on curve: ModelCurve, window: Int) -> [[String]] {
        var base = point
        return (0..<64 * curve.limbCount / partBits).map { part in
            if part > 0 { base = curve.multiply(.power(ofTwo: partBits), base) }
            return oddMultiples(of: base, on: curve, count: 1 << (window - 2))
        }
    }

    /// Returns the source lines of (2i + 1)·Q for i < `count`.
    private static func oddMultiples(of point: ModelPoint, on curve: ModelCurve, count: Int) -> [String] {
        let step = curve.double(point)
        var multiple = point
        return (0..<count).flatMap { index in
            if index > 0 { multiple = curve.add(multiple, step) }
            return curve.lines(of: multiple)
        }
    }
}

extension ModelCurve {
    fileprivate var limbCount: Int { coordinateByteCount / 8 }

    /// Returns the coordinates in the Montgomery domain as source lines of at most four limbs.
    fileprivate func lines(of point: ModelPoint) -> [String] {
        guard let x = point.x, let y = point.y else { preconditionFailure("a multiple is infinity") }
        return [x, y].flatMap { coordinate in
            let limbs = ((coordinate << (64 * limbCount)) % p).words(count: limbCount).map(Self.literal)
            let perLine = limbCount == 4 ? 4 : 3
            return stride(from: 0, to: limbs.count, by: perLine).map { start in
                "        " + limbs[start..<start + perLine].joined(separator: ", ") + ","
            }
        }
    }

    private static func literal(_ limb: UInt64) -> String {
        let digits = String(limb, radix: 16)
        let padded = Array(String(repeating: "0", count: 16 - digits.count) + digits)
        return "0x" + stride(from: 0, to: 16, by: 4).map { String(padded[$0..<$0 + 4]) }.joined(separator: "_")
    }
}
