extension PrimeCurve {
    /// Whether every point of the generator's table is on the curve. A point with one wrong coordinate is not: for each y there are two
    /// other x at most, for each x one other y, of some 2²⁵⁶ or more values. That a point is the right multiple is not checked.
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
    /// Whether every point of the generator's table is on the curve: for the self-test of a build.
    package static func hasGeneratorTableOnCurve() -> Bool { P256Curve.hasGeneratorTableOnCurve() }
}

extension P384.Signing {
    /// Whether every point of the generator's table is on the curve: for the self-test of a build.
    package static func hasGeneratorTableOnCurve() -> Bool { P384Curve.hasGeneratorTableOnCurve() }
}

extension P384.Signing.PrecomputedPublicKey {
    /// Whether every point of the key's table is on the curve.
    package var hasTableOnCurve: Bool { table.points.allSatisfy { $0.isOnCurve } }
}
