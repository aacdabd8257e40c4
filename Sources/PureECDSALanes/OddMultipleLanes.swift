/// Computes the odd multiples 1·Q, 3·Q … (2m − 1)·Q of one or more points in each lane. The multiples of point j begin
/// at index m·j. The method is the same as in PureECDSA's `climb` and `descend`. P-256 satisfies their bounds on
/// n. The caller stores the multiples, because reading an `InlineArray` that is a property of a structure would
/// copy the array. Time: constant, except for ``lookUp(_:in:)``, whose memory addresses depend on the index.
enum OddMultipleLanes {
    /// The limbs of x, then of y.
    typealias Point = InlineArray<10, Lanes>
    /// The limbs of Zᵢ/Zᵢ₋₁, below 3.02 U.
    typealias Ratio = InlineArray<5, Lanes>

    @inline(__always)
    private static func point(_ x: FieldLanes, _ y: FieldLanes) -> Point {
        [x.l0, x.l1, x.l2, x.l3, x.l4, y.l0, y.l1, y.l2, y.l3, y.l4]
    }

    /// Reads, in each lane, the multiple at that lane's `index`.
    @inline(__always)
    static func lookUp(
        _ index: Lanes, in points: borrowing Span<Point>
    ) -> (x: FieldLanes, y: FieldLanes) {
        let i0 = Int(index[0]), i1 = Int(index[1]), i2 = Int(index[2]), i3 = Int(index[3])
        let i4 = Int(index[4]), i5 = Int(index[5]), i6 = Int(index[6]), i7 = Int(index[7])
        func limb(_ k: Int) -> Lanes {
            Lanes(
                points[i0][k][0], points[i1][k][1], points[i2][k][2], points[i3][k][3], points[i4][k][4],
                points[i5][k][5], points[i6][k][6], points[i7][k][7])
        }
        return (
            FieldLanes(limb(0), limb(1), limb(2), limb(3), limb(4)),
            FieldLanes(limb(5), limb(6), limb(7), limb(8), limb(9))
        )
    }

    /// Writes the multiples of Q = (x, y). The first multiple is affine. Every later multiple has a Z-coordinate of its
    /// own. Returns the last Z, < 2.1 U. Bounds: x, y < 16 U.
    static func climb(
        _ x: FieldLanes, _ y: FieldLanes, _ m: Int, from start: Int, _ points: inout MutableSpan<Point>,
        _ ratios: inout MutableSpan<Ratio>
    ) -> FieldLanes {
        let x = x.loose.folded, y = y.loose.folded  // < 1.001
        let a = (x.loose - FieldLanes.one.loose).addingModulus(times: 2).carried  // x − 1: 0.99 … 3.01
        let b = (x.loose + FieldLanes.one.loose).carried  // x + 1 < 2.01
        let n = WideLanes(a, b).reduced  // (x − 1)(x + 1) < 1.38
        let α = (n + n.doubled(times: 1)).carried  // α = 3(x − 1)(x + 1) < 4.14
        let γ = y.squared  // γ = y² < 1.07
        let β = x * γ  // β = x·γ < 1.07
        // 8γ² < 8.6, folded: Q's y on Z = 2y.
        var y1 = WideLanes(squareOf: γ).reduced.doubled(times: 3).folded
        var x1 = β.loose.doubled(times: 2).folded  // 4β: Q's x on Z = 2y
        let αα = WideLanes(squareOf: α).reduced  // α² < 2.08
        // 2·Q on Z = 2y: X = α² − 8β, 1.4 … 12.1; Y = α(4β − X) − 8γ², 0.99 … 3.79.
        var x2 = (αα - β.loose.doubled(times: 3)).addingModulus(times: 10).folded
        let g = (x1.loose - x2.loose).addingModulus(times: 2).carried  // 0.99 … 3.01
        var y2 = (WideLanes(α, g).reduced - y1.loose).addingModulus(times: 2).folded
        var last = y.loose.doubled(times: 1).carried  // Z₀ = 2y < 2.01
        points[start] = point(x, y)
        for i in start + 1..<start + m {
            let ratio = addOnOneZ(&x1, &y1, &x2, &y2)
            ratios[i] = [ratio.l0, ratio.l1, ratio.l2, ratio.l3, ratio.l4]
            last = last * ratio  // Zᵢ = Zᵢ₋₁·H < 1.4
            points[i] = point(x1, y1)
        }
        return last
    }

    /// Adds P₂ to P₁, where P₂ ≠ ±P₁ and both points have the same Z-coordinate. Afterwards both points have the
    /// Z-coordinate Z·H. Returns H. 4M + 2S (Meloni 2007, §3). Bounds: x₁, y₁ < 1.001 U; x₂, y₂ < 1.13 U; H < 3.02 U.
    @inline(never)
    private static func addOnOneZ(
        _ x1: inout FieldLanes, _ y1: inout FieldLanes, _ x2: inout FieldLanes, _ y2: inout FieldLanes
    ) -> FieldLanes {
        let H = (x1.loose - x2.loose).addingModulus(times: 2).carried  // H = X₁ − X₂: 0.86 … 3.01
        let R = (y1.loose - y2.loose).addingModulus(times: 3).carried  // r = Y₁ − Y₂: 1.86 … 4.01
        let HH = H.squared  // H² < 1.57
        let RR = WideLanes(squareOf: R).reduced  // r² < 2.01
        let HHH = H * HH  // H³ < 1.30
        let V = x2 * HH  // V = X₂·H² < 1.12
        let W = WideLanes(y2, HHH)  // W = Y₂·H³, not reduced: < 1.47 U²
        x2 = V
        y2 = W.reduced.carried  // W < 1.10
        // X₃ = r² − H³ − 2V: 2.45 … 8.02
        x1 = (RR - HHH.loose - V.loose.doubled(times: 1)).addingModulus(times: 6).folded
        let g = (V.loose - x1.loose).addingModulus(times: 2).carried  // V − X₃: 0.99 … 3.12
        // Y₃ = r(V − X₃) − W. Intervals: −1.47 … 12.6 U² before the reduction, −0.10 … 1.79 after the reduction, 1.89 …
        // 3.79 with 2p added.
        y1 = WideLanes(R, g).subtracting(W).reduced.addingModulus(times: 2).folded
        return H
    }

    /// Converts the multiples of one point to affine form, with coordinates below 1.001 U. The first multiple is
    /// already affine. Bounds: `inverse`, the inverse of the last Z, is below 2 U.
    static func descend(
        _ inverse: FieldLanes, _ m: Int, to start: Int, _ points: inout MutableSpan<Point>,
        _ ratios: borrowing MutableSpan<Ratio>
    ) {
        var inverse = inverse
        for i in stride(from: start + m - 1, to: start, by: -1) {
            let X = FieldLanes(points[i][0], points[i][1], points[i][2], points[i][3], points[i][4])
            let Y = FieldLanes(points[i][5], points[i][6], points[i][7], points[i][8], points[i][9])
            let (x, y) = affine(X, Y, inverse)
            points[i] = point(x, y)
            // 1/Zᵢ₋₁ = (Zᵢ/Zᵢ₋₁)/Zᵢ < 1.4
            inverse = inverse * FieldLanes(ratios[i][0], ratios[i][1], ratios[i][2], ratios[i][3], ratios[i][4])
        }
    }

    /// (X/Z², Y/Z³), where `inverse` is 1/Z.
    @inline(never)
    private static func affine(
        _ x: FieldLanes, _ y: FieldLanes, _ inverse: FieldLanes
    ) -> (FieldLanes, FieldLanes) {
        let square = inverse.squared  // 1/Z² < 1.25
        return ((x * square).loose.folded, (y * (square * inverse)).loose.folded)
    }
}
