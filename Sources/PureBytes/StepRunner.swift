/// Runs the steps of a verification in order, and decides whether to continue after a failure.
///
/// The steps are written once, as a function that is generic over the runner. With ``FirstFailure``, the function
/// returns a verdict. With ``EveryOutcome``, it produces a report of the same steps in the same order.
///
/// The protocol is SPI instead of `package`, because only public functions are inlined into other modules.
@_spi(Steps) public protocol StepRunner<Check, Failure> {
    /// Names a step.
    associatedtype Check
    /// Why a step fails.
    associatedtype Failure: Error
    /// The error that the runner throws to stop after a failed step, or `Never` if the runner always continues.
    associatedtype Stop: Error

    /// Runs a step. Returns the result of the step, or `nil` if the step failed and the runner continues.
    @discardableResult
    mutating func run<T>(_ check: Check, _ step: () throws(Failure) -> T) throws(Stop) -> T?

    /// Runs a step on each of `items`, up to the first failure.
    mutating func run<Item>(_ check: Check, each items: [Item], _ step: (Item) throws(Failure) -> Void) throws(Stop)

    /// Records that a step lacks its input because an earlier step failed.
    mutating func skip(_ check: Check)
}

// These functions run steps whose inputs come from earlier steps. The inputs are borrowed, because copying a
// certificate costs dozens of retains.
extension StepRunner {
    /// Runs a step on an input, or skips the step if the input is missing.
    @inlinable
    @inline(__always)
    @discardableResult
    public mutating func run<A: ~Copyable, T>(
        _ check: Check, on a: borrowing A?, _ step: (borrowing A) throws(Failure) -> T
    ) throws(Stop) -> T? {
        switch a {
        case .some(let a): return try run(check) { () throws(Failure) in try step(a) }
        case .none:
            skip(check)
            return nil
        }
    }

    /// Runs a step on two inputs, or skips the step if an input is missing.
    @inlinable
    @inline(__always)
    @discardableResult
    public mutating func run<A: ~Copyable, B: ~Copyable, T>(
        _ check: Check, on a: borrowing A?, _ b: borrowing B?,
        _ step: (borrowing A, borrowing B) throws(Failure) -> T
    ) throws(Stop) -> T? {
        switch a {
        case .some(let a):
            switch b {
            case .some(let b): return try run(check) { () throws(Failure) in try step(a, b) }
            case .none: break
            }
        case .none: break
        }
        skip(check)
        return nil
    }

    /// Runs a step on each of `items` together with an input, or skips the step if `items` or the input is missing.
    @inlinable
    @inline(__always)
    public mutating func run<Item, A: ~Copyable>(
        _ check: Check, each items: [Item]?, on a: borrowing A?,
        _ step: (Item, borrowing A) throws(Failure) -> Void
    ) throws(Stop) {
        switch a {
        case .some(let a):
            if let items { return try run(check, each: items) { (item) throws(Failure) in try step(item, a) } }
        case .none: break
        }
        skip(check)
    }
}

/// The runner for verdicts, which stops at the first failed step.
///
/// The functions of this runner are inlined, so a list of steps compiles to straight-line code without optionals.
@_spi(Steps) public struct FirstFailure<Check, Failure: Error>: StepRunner {
    /// Creates a runner.
    @inlinable
    public init() {}

    /// Runs a step. Throws its failure.
    @inlinable
    @inline(__always)
    public mutating func run<T>(_ check: Check, _ step: () throws(Failure) -> T) throws(Failure) -> T? { try step() }

    /// Runs a step on each of `items`. Throws the first failure.
    @inlinable
    @inline(__always)
    public mutating func run<Item>(
        _ check: Check, each items: [Item], _ step: (Item) throws(Failure) -> Void
    ) throws(Failure) {
        for item in items { try step(item) }
    }

    /// Traps. This function is never called, because an input is missing only after a failed step, and a failed step
    /// stops this runner. If the function returned, the step would count as passed.
    @inlinable
    @inline(__always)
    public mutating func skip(_ check: Check) { preconditionFailure("a step has no input") }
}

/// The runner for reports, which runs every step whose inputs exist, and records the outcome of each step.
@_spi(Steps) public struct EveryOutcome<Check, Failure: Error>: StepRunner {
    /// The outcome of a step.
    public enum Outcome {
        /// The step did not fail.
        case passed
        /// The step failed. `item` is the index of the failed item, or 0 in a step without items.
        case failed(Failure, item: Int)
        /// The step lacked its input because an earlier step failed.
        case notRun
    }

    /// The outcomes, in the order of the steps.
    public private(set) var outcomes: [(check: Check, outcome: Outcome)] = []

    /// Creates a runner that has not recorded any outcomes.
    public init() {}

    /// Runs a step and records its outcome.
    public mutating func run<T>(_ check: Check, _ step: () throws(Failure) -> T) throws(Never) -> T? {
        do throws(Failure) {
            let result = try step()
            outcomes.append((check, .passed))
            return result
        } catch {
            outcomes.append((check, .failed(error, item: 0)))
            return nil
        }
    }

    /// Runs a step on each of `items`, up to the first failure. Records the outcome, with the index of the failed item.
    public mutating func run<Item>(
        _ check: Check, each items: [Item], _ step: (Item) throws(Failure) -> Void
    ) throws(Never) {
        for index in items.indices {
            do throws(Failure) { try step(items[index]) } catch {
                return outcomes.append((check, .failed(error, item: index)))
            }
        }
        outcomes.append((check, .passed))
    }

    /// Records that a step did not run because an input is missing.
    public mutating func skip(_ check: Check) { outcomes.append((check, .notRun)) }
}
