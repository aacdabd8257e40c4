import PureAttest
import Runtime

/// Runs the loaded test cases. For each case, writes a line with the verdict and the number of instructions. The
/// verdict is 0 if the object was accepted, otherwise the code of a `Refusal`. `vectors.py` writes the cases and
/// compares the verdicts. The first object of a case is its kind, one byte. An empty object ends the list.
@c(image_main)
public func imageMain() {
    var objects = LoadedObjects(), counter = InstructionCounter()
    while let kind = objects.next().first {
        let verdict: UInt32
        do throws(PureAttestError) {
            try judge(kind, &objects, &counter)
            verdict = 0
        } catch {
            verdict = UInt32(bitPattern: Refusal(error).code)
        }
        write(verdict)
        write(" ")
        write(counter.last)
        write("\n")
    }
    Stack.report()
}

private func judge(
    _ kind: UInt8, _ objects: inout LoadedObjects, _ counter: inout InstructionCounter
) throws(PureAttestError) {
    switch kind {
    case 1: try verifySignature(&objects, &counter)
    case 2: try verifyAttestation(&objects, &counter)
    case 3: try verifyAssertion(&objects, &counter)
    case 4: try verifyReceipt(&objects, &counter)
    case 5: try verifyChain(&objects, &counter)
    default: fatalError("unknown kind")
    }
}

struct InstructionCounter {
    /// The number of instructions of the last verification that returned without an error.
    private(set) var last: UInt32 = 0

    mutating func count<Verdict>(_ body: () throws(PureAttestError) -> Verdict) throws(PureAttestError) -> Verdict {
        let start = instructionCount()
        let verdict = try body()
        last = instructionCount() &- start
        return verdict
    }
}
