#if !hasFeature(Embedded) && !arch(wasm32)

    #if ProcessorExtensions && arch(x86_64)
        import PureECDSALanes

        /// Connects PureECDSALanes to this module's generator table and inversion.
        struct IFMALanes: EightVerifications {
            func verify(u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]) -> (valid: UInt8, undecided: UInt8) {
                verifyInLanes(
                    u1: u1, u2: u2, r: r, points: points, generator: P256Curve.generatorWords,
                    invert: P256Curve.inverseWords)
            }

            func verifyByMultiples(
                u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
            ) -> (valid: UInt8, undecided: UInt8) {
                verifyInLanesByMultiples(
                    u1: u1, u2: u2, r: r, points: points, generator: P256Curve.generatorWords,
                    invert: P256Curve.inverseWords)
            }
        }
    #endif

    /// Performs steps 6 to 8 of FIPS 186-5 §6.4.2 for eight signatures at once. `verifyInLanes` of PureECDSALanes
    /// documents the parameters and bounds. This is a protocol so that tests can cover this file without the trait
    /// `ProcessorExtensions`.
    protocol EightVerifications {
        /// Verifies eight signatures, with one point, Q, for each key.
        func verify(
            u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
        ) -> (valid: UInt8, undecided: UInt8)
        /// Verifies eight signatures, with four points, 2^(64·j)·Q, for each key.
        func verifyByMultiples(
            u1: [UInt64], u2: [UInt64], r: [UInt64], points: [UInt64]
        ) -> (valid: UInt8, undecided: UInt8)
    }

    extension P256.Signing {
        /// The minimum number of signatures for which the lanes are faster than the scalar code. Eight lanes take as
        /// long as two to three scalar verifications (measured with the trait: `pure-attest bench --only
        /// p256-verify-batch`).
        static var fewestLanes: Int { 4 }

        /// Verifies signatures in groups of eight. In a group, either all keys have stored multiples, or none has. In
        /// an incomplete group, the free lanes repeat the first signature of the group. The scalar code verifies the
        /// signatures of undecided lanes, and of groups with fewer than ``fewestLanes`` signatures.
        static func areValidSignatures(
            _ signatures: [SignatureToVerify], by lanes: some EightVerifications
        ) -> [Bool] {
            var verdicts = [Bool](repeating: false, count: signatures.count)
            for withMultiples in [false, true] {
                let group = signatures.indices.filter { signatures[$0].hasMultiples == withMultiples }
                let inverses =
                    group.count < fewestLanes ? [] : inverted(group.map { signatures[$0].signature.scalars.s })
                for start in stride(from: 0, to: group.count, by: 8) {
                    let items = start..<min(start + 8, group.count)
                    let indices = group[items]
                    let (valid, undecided) =
                        indices.count < fewestLanes
                        ? (0, .max)
                        : verify(indices.map { signatures[$0] }, Array(inverses[items]), withMultiples, by: lanes)
                    for (lane, index) in indices.enumerated() {
                        verdicts[index] =
                            undecided >> UInt8(lane) & 1 == 1
                            ? signatures[index].isValid : valid >> UInt8(lane) & 1 == 1
                    }
                }
            }
            return verdicts
        }

        /// Verifies one to eight signatures. `inverses` are their s⁻¹ mod n.
        private static func verify(
            _ signatures: [SignatureToVerify], _ inverses: [P256Scalar], _ withMultiples: Bool,
            by lanes: some EightVerifications
        ) -> (valid: UInt8, undecided: UInt8) {
            var u1: [UInt64] = [], u2: [UInt64] = [], r: [UInt64] = [], points: [UInt64] = []
            for lane in 0..<8 {
                let item = lane < signatures.count ? lane : 0
                let signature = signatures[item], scalars = signature.signature.scalars
                let w = inverses[item]  // w = s⁻¹ mod n
                append((P256Scalar(digest: signature.digest.span) * w).plain, to: &u1)  // u₁ = e·w mod n
                append((scalars.r * w).plain, to: &u2)  // u₂ = r·w mod n
                append(scalars.r.plain, to: &r)
                signature.appendPoints(withMultiples, to: &points)
            }
            return withMultiples
                ? lanes.verifyByMultiples(u1: u1, u2: u2, r: r, points: points)
                : lanes.verify(u1: u1, u2: u2, r: r, points: points)
        }

        /// Inverts all `numbers` with one inversion (Montgomery 1987, §10.3.1). Bounds: no number is 0.
        private static func inverted(_ numbers: [P256Scalar]) -> [P256Scalar] {
            var products: [P256Scalar] = []  // s₀, s₀·s₁, …
            for s in numbers { products.append(products.last.map { $0 * s } ?? s) }
            guard var inverse = products.last?.invertedVarTime() else { return [] }
            var inverses = numbers
            for i in stride(from: numbers.count - 1, to: 0, by: -1) {
                inverses[i] = inverse * products[i - 1]  // sᵢ⁻¹ = (s₀ … sᵢ)⁻¹·(s₀ … sᵢ₋₁)
                inverse = inverse * numbers[i]  // (s₀ … sᵢ₋₁)⁻¹
            }
            inverses[0] = inverse
            return inverses
        }
    }

    extension P256.Signing.SignatureToVerify {
        fileprivate var hasMultiples: Bool {
            switch key {
            case .point: false
            case .multiples, .table: true
            }
        }

        /// Appends x and y of Q. If `withMultiples`, also appends x and y of 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q.
        fileprivate func appendPoints(_ withMultiples: Bool, to words: inout [UInt64]) {
            switch key {
            case .point(let key): append(key.point, to: &words)
            case .multiples(let key):
                for j in 0..<4 { append(key.points[j], to: &words) }
            case .table(let key):
                // Each part of the table begins with 2^(partBits·part)·Q.
                let shape = key.table.shape, step = 64 / shape.partBits * shape.multipleCount
                for j in 0..<4 { append(key.table.points[step * j], to: &words) }
            }
        }
    }

    extension P256Curve {
        /// (2·index + 1)·2^(64·part)·G: x, then y.
        static func generatorWords(part: Int, index: Int) -> InlineArray<8, UInt64> {
            let point = generatorMultiple(part: 64 / generatorShape.partBits * part, index: index)
            let (x, y) = (point.x.words, point.y.words)
            return [x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]]
        }

        /// 1/x, and 0 for 0, in the Montgomery domain.
        static func inverseWords(_ x: InlineArray<4, UInt64>) -> InlineArray<4, UInt64> {
            Field(words: x).invertedVarTime().words
        }
    }

    private func append(_ words: InlineArray<4, UInt64>, to all: inout [UInt64]) {
        for k in 0..<4 { all.append(words[k]) }
    }

    private func append(_ point: AffinePoint<P256Curve>, to all: inout [UInt64]) {
        append(point.x.words, to: &all)
        append(point.y.words, to: &all)
    }

#endif
