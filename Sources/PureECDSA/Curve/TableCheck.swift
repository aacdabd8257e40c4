extension PrimeCurve {
    /// Returns whether every point of the generator's table is on the curve. The self-test of a build uses this
    /// function.
    ///
    /// A point with one wrong coordinate is on the curve only by chance. Among at least 2²⁵⁶ values, at most two wrong
    /// x fit the same y, and one wrong y fits the same x. This check does not detect wrong multiples of G, because
    /// every multiple is on the curve.
    static func hasGeneratorTableOnCurve() -> Bool {
        for part in 0..<partCount(generatorShape) {
            let window = part == 0 ? generatorWindow : generatorShape.window
            for index in 0..<(1 &<< (window - 2)) where !generatorMultiple(part: part, index: index).isOnCurve {
                return false
            }
        }
        return true
    }
}

extension P256.Signing {
    package static func hasGeneratorTableOnCurve() -> Bool { P256Curve.hasGeneratorTableOnCurve() }
}

extension P384.Signing {
    package static func hasGeneratorTableOnCurve() -> Bool { P384Curve.hasGeneratorTableOnCurve() }
}

extension P384.Signing.PrecomputedPublicKey {
    /// Whether every point of the key's table is on the curve.
    package var hasTableOnCurve: Bool { table.points.allSatisfy { $0.isOnCurve } }
}
