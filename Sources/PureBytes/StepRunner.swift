/// Takes the steps of a verification one after another, and decides whether a list goes on after a failed one.
///
/// A list of steps is a function that is generic over the runner. ``FirstFailure`` makes a verdict of it, ``EveryOutcome`` an
/// explanation: neither can have a step that the other lacks, nor another order.
///
/// SPI and not `package`: only public functions are inlined into other modules.
@_spi(Steps) public protocol StepRunner<Check, Failure> {
    /// Names a step.
    associatedtype Check
    /// Why a step fails.
    associatedtype Failure: Error
    /// What ends a list early: the failure, or nothing.
    associatedtype Stop: Error

    /// Runs a step. Returns its result, or `nil` if it failed and the list goes on.
    @discardableResult
    mutating func run<T>(_ check: Check, _ step: () throws(Failure) -> T) throws(Stop) -> T?

    /// Runs a step on each of `items`, up to the first that fails.
    mutating func run<Item>(_ check: Check, each items: [Item], _ step: (Item) throws(Failure) -> Void) throws(Stop)

    /// Notes that a step has no input, because an earlier step failed.
    mutating func skip(_ check: Check)
}

// Steps with inputs that earlier steps found. Inputs are borrowed, as a copy of a certificate's fields costs dozens of reference counts.
extension StepRunner {
    /// Runs a step on an input, if it is there.
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

    /// Runs a step on two inputs, if they are there.
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

    /// Runs a step on each of `items`, if they are there.
    @inlinable
    @inline(__always)
    public mutating func run<Item>(
        _ check: Check, each items: [Item]?, _ step: (Item) throws(Failure) -> Void
    ) throws(Stop) {
        guard let items else { return skip(check) }
        try run(check, each: items, step)
    }

    /// Runs a step on an input with each of `items`, if they are there.
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

/// Stops at the first failed step: the runner of verdicts.
///
/// Its functions are inlined, so that a list compiles to straight code without optionals.
@_spi(Steps) public struct FirstFailure<Check, Failure: Error>: StepRunner {
    /// A runner.
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

    /// Is never reached: an input can only be missing after a failed step, which ends the list. It must not return, as the step would
    /// count as passed.
    @inlinable
    @inline(__always)
    public mutating func skip(_ check: Check) { preconditionFailure("a step has no input") }
}

/// Takes every step that has its input and notes what came of each: the runner of reports.
@_spi(Steps) public struct EveryOutcome<Check, Failure: Error>: StepRunner {
    /// What came of a step.
    public enum Outcome {
        /// The comparison held.
        case passed
        /// `item` is the index of the item that failed, and 0 in a step without items.
        case failed(Failure, item: Int)
        /// What the step compares was not found, because an earlier step failed.
        case notRun
    }

    /// In the order of the list.
    public private(set) var outcomes: [(check: Check, outcome: Outcome)] = []

    /// A runner that has taken no step.
    public init() {}

    /// Runs a step and notes what came of it.
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

    /// Runs a step on each of `items`, up to the first that fails, and notes which one failed.
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

    /// Notes a step that has no input.
    public mutating func skip(_ check: Check) { outcomes.append((check, .notRun)) }
}
