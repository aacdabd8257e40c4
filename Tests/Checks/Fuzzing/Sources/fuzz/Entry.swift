import Foundation
import LibFuzzer

// The functions that libFuzzer calls (llvm.org/docs/LibFuzzer.html). One program contains all targets. The command
// `fuzz --target=der CORPUS…` selects a target and accepts libFuzzer's options. OSS-Fuzz passes no arguments, so the
// program's name selects the target: OSS-Fuzz runs a copy named `fuzz_der`, for example. `run.sh` passes `--seeds
// VECTORS DIRECTORY`, and the comparison scripts pass `--answer`.

nonisolated(unsafe) private var target = targets[0]
/// The processor time of the slowest input, in milliseconds. libFuzzer itself limits elapsed time, which also depends
/// on the machine's load.
nonisolated(unsafe) private var slowest: UInt64 = 0

/// Returns this process's processor time in nanoseconds.
func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Handles the arguments that start with two hyphens, which libFuzzer ignores.
@c(LLVMFuzzerInitialize)
public func initialize(
    _ count: UnsafePointer<CInt>?, _ values: UnsafePointer<UnsafePointer<UnsafePointer<CChar>?>?>?
) -> CInt {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "--targets":
        for target in targets { print(target.name) }
        exit(0)
    case "--seeds" where arguments.count == 3:
        writeSeeds(from: arguments[2], to: arguments[3])
        exit(0)
    case "--answer":
        answerQuestions()
        exit(0)
    default: break
    }
    let names = arguments.compactMap { $0.hasPrefix("--target=") ? $0.dropFirst("--target=".count) : nil }
    guard let name = names.last ?? nameOfProgram(), let chosen = (targets + controls).first(where: { $0.name == name })
    else {
        print("--target=NAME is one of: \(targets.map(\.name).joined(separator: " "))")
        exit(2)
    }
    target = chosen
    atexit { FileHandle.standardError.write(Data("stat::slowest_input_ms: \(slowest)\n".utf8)) }
    // Initialises lazy values now, so that no input's measured time includes their initialisation.
    if let seed = chosen.seeds().first { chosen.run(seed[...]) }
    return 0
}

/// Returns the target that the program's name contains, such as `der` in `fuzz_der`.
private func nameOfProgram() -> Substring? {
    guard let file = CommandLine.arguments.first?.split(separator: "/").last, file.hasPrefix("fuzz_") else {
        return nil
    }
    return file.dropFirst("fuzz_".count)
}

/// Runs the target once.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    // The prefix ensures that the input's indices do not start at 0.
    let bytes = [0xA5, 0xA5, 0xA5] + Array(UnsafeBufferPointer(start: data, count: size))
    let start = processorTime()
    target.run(bytes.dropFirst(3))
    let milliseconds = (processorTime() - start) / 1_000_000
    slowest = max(slowest, milliseconds)
    require(milliseconds < 1_000, "an input takes \(milliseconds) ms")
    return 0
}

/// Mutates an input according to the target's form.
@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int, _ seed: CUnsignedInt) -> Int {
    var random = SplitMix(state: UInt64(seed))
    var bytes = Array(UnsafeBufferPointer(start: data, count: size))
    target.form.mutate(&bytes, maximumSize: maximumSize, &random)
    let result = bytes.prefix(maximumSize)
    for (index, byte) in result.enumerated() { data[index] = byte }
    return result.count
}

/// Traps if an invariant of the target does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
