struct Target {
    let name: String
    /// The form of the inputs, which determines how they are mutated.
    let form: Form
    /// Must return for every input.
    let run: @Sendable (ArraySlice<UInt8>) -> Void
    /// Returns the target's own seeds. Further seeds come from Vectors.
    let seeds: @Sendable () -> [[UInt8]]
}

let targets: [Target] = [
    derTarget, certificateTarget, chainTarget, constraintTarget, cborTarget, attestationTarget, signedAttestationTarget,
    assertionTarget,
    signedAssertionTarget, receiptTarget, signedReceiptTarget, signatureTarget, publicKeyTarget, rsaTarget,
    keyAttestationTarget, keyDescriptionTarget, statusListTarget, androidKeyTarget,
    attestedKeyTarget,
    sessionTokenTarget, textTarget, jsonTarget, jwsTarget, signedTransactionTarget, signedNotificationTarget,
    purchaseRecordTarget,
]

/// Targets with a known defect. `run.sh` checks that the fuzzer finds each defect.
let controls: [Target] = [
    control("control-trap") { preconditionFailure() },
    control("control-hang") {
        let start = processorTime()
        while processorTime() - start < 1_200_000_000 {}
    },
    control("control-memory") {
        require([UInt8](repeating: 1, count: 65 << 20).contains(1), "the allocated memory has wrong contents")
    },
]

/// Returns a target that runs `defect` for each input of at least eight bytes.
private func control(_ name: String, _ defect: @escaping @Sendable () -> Void) -> Target {
    Target(name: name, form: .bytes) { bytes in
        if bytes.count >= 8 { defect() }
    } seeds: {
        []
    }
}

indirect enum Form {
    case bytes
    case der
    /// A JSON object, whose members are mutated. An input in any other form is mutated as bytes.
    case members
    /// Several byte strings, each with its own form, joined as `Parts`.
    case parts([Form])

    func mutate(_ bytes: inout [UInt8], maximumSize: Int, _ random: inout SplitMix) {
        switch self {
        case .bytes: mutateBytes(&bytes, growingBy: maximumSize - bytes.count)
        case .der:
            if random.isOneIn(3) || !mutateDER(&bytes, &random) {
                mutateBytes(&bytes, growingBy: maximumSize - bytes.count)
            }
        case .members:
            if random.isOneIn(3) || !mutateMembers(&bytes, maximumSize: maximumSize, &random) {
                mutateBytes(&bytes, growingBy: maximumSize - bytes.count)
            }
        case .parts(let forms):
            var parts = Parts(decoding: bytes[...], count: forms.count).parts
            let index = random.below(parts.count)
            let others = bytes.count - parts[index].count + 2 * parts.count
            forms[index].mutate(&parts[index], maximumSize: max(maximumSize - others, 1), &random)
            bytes = Parts(parts).encoded
        }
    }
}

/// A fixed number of byte strings in one input. Each string except the last has a length prefix of two octets.
struct Parts {
    let parts: [[UInt8]]

    init(_ parts: [[UInt8]]) { self.parts = parts }

    /// Splits an input. Missing parts are empty, so every input is accepted.
    init(decoding bytes: ArraySlice<UInt8>, count: Int) {
        var rest = bytes
        var parts: [[UInt8]] = []
        while parts.count < count - 1 {
            let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            parts.append([UInt8](rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        self.parts = parts + [[UInt8](rest)]
    }

    var encoded: [UInt8] {
        parts.dropLast().flatMap { part in
            let part = part.prefix(0xFFFF)
            return [UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
        } + (parts.last ?? [])
    }
}

/// Vigna's SplitMix64 generator. Each mutation seeds a new generator with the value that libFuzzer passes.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func isOneIn(_ count: Int) -> Bool { below(count) == 0 }
}
