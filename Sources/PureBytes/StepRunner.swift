/// Runs the steps of a verification in order, and decides whether to continue after a failure.
///
/// A list of steps is a function that is generic over the runner. It returns a verdict with ``FirstFailure``, and a
/// report of the same steps in the same order with ``EveryOutcome``.
///
/// This is SPI instead of `package` because only public functions are inlined into other modules.
@_spi(Steps) public protocol StepRunner<Check, Failure> {
    /// Names a step.
    associatedtype Check
    /// Why a step fails.
    associatedtype Failure: Error
    /// The error that stops a list early; `Never` if the runner does not stop.
    associatedtype Stop: Error

    /// Runs a step. Returns its result, or `nil` if it failed and the list continues.
    @discardableResult
    mutating func run<T>(_ check: Check, _ step: () throws(Failure) -> T) throws(Stop) -> T?

    /// Runs a step on each of `items`, up to the first failure.
    mutating func run<Item>(_ check: Check, each items: [Item], _ step: (Item) throws(Failure) -> Void) throws(Stop)

    /// Records that a step lacks its input because an earlier step failed.
    mutating func skip(_ check: Check)
}

// Steps whose inputs come from earlier steps. They are borrowed: copying a certificate costs dozens of retains.
extension StepRunner {
    /// Runs a step on an input, if it exists.
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

    /// Runs a step on two inputs, if both exist.
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

    /// Runs a step on each of `items`, if they exist.
    @inlinable
    @inline(__always)
    public mutating func run<Item>(
        _ check: Check, each items: [Item]?, _ step: (Item) throws(Failure) -> Void
    ) throws(Stop) {
        guard let items else { return skip(check) }
        try run(check, each: items, step)
    }

    /// Runs a step on an input with each of `items`, if both exist.
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

/// Stops at the first failed step: the runner for verdicts.
///
/// Its functions are inlined, so a list compiles to straight-line code without optionals.
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

    /// Traps. An input can only be missing after a failed step, which stops the list. Returning would pass the step.
    @inlinable
    @inline(__always)
    public mutating func skip(_ check: Check) { preconditionFailure("a step has no input") }
}

/// Runs every step that has its input and records each outcome: the runner for reports.
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

    /// The outcomes, in the order of the list.
    public private(set) var outcomes: [(check: Check, outcome: Outcome)] = []

    /// Creates a runner without outcomes.
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

    /// Runs a step on each of `items`, up to the first failure, and records which one failed.
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

    /// Records a step that lacks its input.
    public mutating func skip(_ check: Check) { outcomes.append((check, .notRun)) }
}
