/// Eight numbers of 256 bits in words of 64 bits, least significant first, as in PureECDSA.
struct WordLanes {
    private let w0, w1, w2, w3: Lanes

    /// Reads four words, starting at `offset`, from each of eight rows of `stride` words.
    @inline(__always)
    init(_ words: borrowing Span<UInt64>, offset: Int = 0, stride: Int = 4) {
        self.init { lane, k in words[stride * lane + offset + k] }
    }

    /// Reads word k of each lane from `word`.
    @inline(__always)
    init(_ word: (_ lane: Int, _ k: Int) -> UInt64) {
        func words(_ k: Int) -> Lanes {
            Lanes(
                truncatingIfNeeded: SIMD8(
                    word(0, k), word(1, k), word(2, k), word(3, k), word(4, k), word(5, k), word(6, k), word(7, k)))
        }
        (w0, w1, w2, w3) = (words(0), words(1), words(2), words(3))
    }

    /// The same number in each lane.
    @inline(__always)
    init(all words: InlineArray<4, UInt64>) {
        (w0, w1) = (lanes(Int64(bitPattern: words[0])), lanes(Int64(bitPattern: words[1])))
        (w2, w3) = (lanes(Int64(bitPattern: words[2])), lanes(Int64(bitPattern: words[3])))
    }

    /// The numbers as limbs. Bounds: < 1 U.
    @inline(__always)
    var limbs: FieldLanes {
        let mask = lanes(limbMask)
        return FieldLanes(
            w0 & mask, (w0.shiftedRight(52) | (w1 &<< lanes(12))) & mask,
            (w1.shiftedRight(40) | (w2 &<< lanes(24))) & mask, (w2.shiftedRight(28) | (w3 &<< lanes(36))) & mask,
            w3.shiftedRight(16))
    }

    /// The numbers times 16: converts from the Montgomery domain of 2²⁵⁶ to the domain of 2²⁶⁰. Bounds: < 16 U.
    @inline(__always)
    var element: FieldLanes {
        let mask = lanes(limbMask)
        return FieldLanes(
            (w0 &<< lanes(4)) & mask, (w0.shiftedRight(48) | (w1 &<< lanes(16))) & mask,
            (w1.shiftedRight(36) | (w2 &<< lanes(28))) & mask, (w2.shiftedRight(24) | (w3 &<< lanes(40))) & mask,
            w3.shiftedRight(12))
    }

    /// A mask of the lanes whose numbers are below 2¹⁹².
    @inline(__always)
    var isBelow192Bits: SIMDMask<Lanes> { w3 .== lanes(0) }
}

extension FieldLanes {
    /// The inverses in all lanes, with one inversion (Montgomery 1987, §10.3.1). Each lane multiplies its number z by
    /// the numbers that rotations bring from the seven other lanes. So every lane has the product of all eight numbers.
    /// `invert` returns the inverse of a number below 2²⁵⁶ in the Montgomery domain of 2²⁵⁶. Bounds: in every lane, the
    /// number is below 2.1 U and not 0 mod p. The result is below 1.1 U.
    func inverted(
        by invert: (InlineArray<4, UInt64>) -> InlineArray<4, UInt64>
    ) -> FieldLanes {
        let r1 = rotated(by: 1)
        let p2 = self * r1  // z of two lanes < 1.28
        let r2 = p2.rotated(by: 2)
        let p4 = p2 * r2  // of four lanes < 1.11
        let r4 = p4.rotated(by: 4)
        let product = (p4 * r4 * FieldLanes.toScalarDomain).loose.folded.word(inLane: 0)  // of all
        let inverse = WordLanes(all: invert(product)).element.loose.folded
        return inverse * r1 * r2 * r4  // 1/z
    }

    /// The number of one lane, reduced below 2²⁵⁶. Bounds: the number is below 1.001 U. q·2²⁵⁶, with q ≤ 1, is replaced
    /// by q·c, where c = 2²⁵⁶ − p. If q = 1, the number is then below 0.001 U + c, so the additions do not carry out.
    private func word(inLane lane: Int) -> InlineArray<4, UInt64> {
        let limbs: InlineArray<5, UInt64> = [
            UInt64(bitPattern: l0[lane]), UInt64(bitPattern: l1[lane]), UInt64(bitPattern: l2[lane]),
            UInt64(bitPattern: l3[lane]), UInt64(bitPattern: l4[lane]),
        ]
        let words: InlineArray<4, UInt64> = [
            limbs[0] | limbs[1] << 52, limbs[1] >> 12 | limbs[2] << 40, limbs[2] >> 24 | limbs[3] << 28,
            limbs[3] >> 36 | limbs[4] << 16,
        ]
        let q = 0 &- limbs[4] >> 48  // all bits or none
        let c: InlineArray<4, UInt64> = [1, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff, 0xffff_fffe]
        var sum = words
        var carry: UInt64 = 0
        for k in 0..<4 {
            let (a, first) = words[k].addingReportingOverflow(c[k] & q)
            let (s, second) = a.addingReportingOverflow(carry)
            sum[k] = s
            carry = first || second ? 1 : 0
        }
        return sum
    }
}
