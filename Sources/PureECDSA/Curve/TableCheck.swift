extension PrimeCurve {
    /// Returns whether every point of the generator's table is on the curve, for the self-test of a build. A point with
    /// one wrong coordinate is on the curve only by chance. Of at least 2²⁵⁶ possible values, at most two wrong x fit
    /// the same y, and one wrong y fits the same x. Wrong multiples of G are also on the curve, so they are not
    /// detected.
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
    package var hasTableOnCurve: Bool { table.points.allSatisfy { $0.isOnCurve } }
}
