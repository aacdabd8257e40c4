import PureAttest
import Runtime

/// Judges the loaded cases. Writes a line for each: the verdict, and the instructions of the verification.
///
/// The verdict is 0 for accepted, or the number of a `Refusal`. `vectors.py` writes the cases and compares the verdicts.
/// A case begins with its kind in one byte; an empty object ends the list.
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

/// Counts the instructions of one verification.
struct InstructionCounter {
    /// The count of the last verification that was counted to its end.
    private(set) var last: UInt32 = 0

    mutating func count<Verdict>(_ body: () throws(PureAttestError) -> Verdict) throws(PureAttestError) -> Verdict {
        let start = instructionCount()
        let verdict = try body()
        last = instructionCount() &- start
        return verdict
    }
}
