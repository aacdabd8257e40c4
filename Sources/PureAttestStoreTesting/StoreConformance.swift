public import PureAttestServer

/// A rule that a store broke.
public struct StoreViolation: Error, Hashable, Sendable {
    /// The rules of `RelyingPartyStore`.
    public enum Rule: String, CaseIterable, Hashable, Sendable {
        /// A stored record is returned unchanged; unknown keys return nothing.
        case keyIsKept
        /// Of concurrent insertions of one key, exactly one succeeds. The other insertions return the stored record and
        /// consume their own challenges.
        case keyIsInsertedOnce
        /// ``keyIsInsertedOnce`` also holds if tasks are cancelled.
        case keyIsInsertedOnceUnderCancellation
        /// ``keyIsInsertedOnce`` also holds if a task fails.
        case keyIsInsertedOnceUnderErrors
        /// Of concurrent insertions of different keys with one challenge, exactly one succeeds.
        case insertionConsumesOnce
        /// ``insertionConsumesOnce`` also holds if tasks are cancelled.
        case insertionConsumesOnceUnderCancellation
        /// ``insertionConsumesOnce`` also holds if a task fails.
        case insertionConsumesOnceUnderErrors
        /// Inserting a key again keeps its counter, account and revocation. A consumed challenge inserts no key.
        case insertionKeepsExisting
        /// Of concurrent advances from one state, exactly one succeeds and is stored. The other advances consume
        /// nothing.
        case counterAdvancesOnce
        /// ``counterAdvancesOnce`` also holds if tasks are cancelled.
        case counterAdvancesOnceUnderCancellation
        /// ``counterAdvancesOnce`` also holds if a task fails.
        case counterAdvancesOnceUnderErrors
        /// Of concurrent advances of different keys with one challenge, exactly one succeeds. The other keys do not
        /// change.
        case advanceConsumesOnce
        /// ``advanceConsumesOnce`` also holds if tasks are cancelled.
        case advanceConsumesOnceUnderCancellation
        /// ``advanceConsumesOnce`` also holds if a task fails.
        case advanceConsumesOnceUnderErrors
        /// Of concurrent advances that record different used counters below the same greatest counter, exactly one
        /// succeeds and is stored.
        case usedCountersAreKept
        /// Of concurrent answers to one challenge, exactly one advances the key, regardless of retries.
        case oneAnswerCounts
        /// No advance is lost. If concurrent calls each advance the counter by one, it equals the number of calls.
        case counterLosesNothing
        /// An advance fails if it starts from a state that is not stored, or if its challenge is consumed. Counters
        /// never decrease, and a failed advance does not update the last use.
        case counterNeverGoesBack
        /// An Android key, which has no counter, can be used once with each challenge until it is revoked.
        case keyWithoutCounterIsUsed
        /// A revocation succeeds once and is permanent. A revoked key cannot be advanced.
        case revocationHolds
        /// Concurrent calls that use and revoke one key, and that claim and replace its receipt, keep each other's
        /// changes.
        case methodsKeepEachOthersWrites
        /// The keys of an account are listed in pages, completely and without other accounts' keys.
        case accountKeysAreListed
        /// The keys of an account are revoked together, completely and without other accounts' keys.
        case accountKeysAreRevokedTogether
        /// A due receipt is claimed only once before it is due again.
        case receiptIsClaimedOnce
        /// Of concurrent replacements of one receipt, exactly one succeeds.
        case receiptIsReplacedOnce
        /// Of concurrent calls that consume one token, exactly one succeeds.
        case isConsumedOnce
        /// ``isConsumedOnce`` also holds if tasks are cancelled.
        case isConsumedOnceUnderCancellation
        /// ``isConsumedOnce`` also holds if a task fails.
        case isConsumedOnceUnderErrors
        /// Consumed tokens are found, and other tokens are not.
        case spentIsFound
        /// Removing expired tokens keeps every other token, even in its last second.
        case unexpiredIsKept
        /// Concurrent charges to a budget, including the first charge, succeed exactly up to its limit.
        case budgetIsNotOverspent
        /// ``budgetIsNotOverspent`` also holds if tasks are cancelled.
        case budgetIsNotOverspentUnderCancellation
        /// ``budgetIsNotOverspent`` also holds if a task fails.
        case budgetIsNotOverspentUnderErrors
        /// A budget permits its last request and unit, and no more. The limit applies to the first request too.
        case budgetLimitsHold
        /// Budgets of different holders and periods are independent.
        case budgetsAreApart
        /// Settling raises or lowers the used units, clamped to zero and the maximum.
        case budgetIsSettled
        /// Removal deletes only ended periods, regardless of length and holder.
        case pastBudgetsAreRemoved
    }

    /// The broken rule.
    public let rule: Rule
    /// Whether the store broke the rule by throwing an unexpected error.
    public let unexpectedError: Bool
}

/// Tests each rule on a new store.
///
/// Finds races by repetition, so a failure proves that a store is wrong, but a success does not prove that it is right.
/// Call it from a test in any framework:
///
///     let violations = await StoreConformance { try await MyStore(…) }.violations()
///     #expect(violations.isEmpty)
///
/// One instance of a store cannot show whether several processes agree. If your servers share a database, return
/// ``StoreInstances`` with several instances of the store.
public struct StoreConformance<Store: RelyingPartyStore>: Sendable {
    let makeStore: @Sendable () async throws -> Store
    let tasks: Int
    let rounds: Int

    /// Creates a conformance test that runs each race `rounds` times (at least 1) with `tasks` tasks (at least 4).
    /// `makeStore` returns an empty store.
    public init(tasks: Int = 32, rounds: Int = 8, makeStore: @escaping @Sendable () async throws -> Store) {
        self.tasks = max(tasks, 4)
        self.rounds = max(rounds, 1)
        self.makeStore = makeStore
    }

    /// Returns the rules that the store broke, in order; empty for a conforming store.
    public func violations() async -> [StoreViolation] {
        var violations: [StoreViolation] = []
        for rule in StoreViolation.Rule.allCases {
            do {
                if try await holds(rule, for: try await makeStore()) { continue }
                violations.append(StoreViolation(rule: rule, unexpectedError: false))
            } catch { violations.append(StoreViolation(rule: rule, unexpectedError: true)) }
        }
        return violations
    }

    private func holds(_ rule: StoreViolation.Rule, for store: Store) async throws -> Bool {
        switch rule {
        case .keyIsKept: try await keyIsKept(by: store)
        case .keyIsInsertedOnce: try await keyIsInsertedOnce(into: store, .none)
        case .keyIsInsertedOnceUnderCancellation: try await keyIsInsertedOnce(into: store, .cancellation)
        case .keyIsInsertedOnceUnderErrors: try await keyIsInsertedOnce(into: store, .error)
        case .insertionConsumesOnce: try await insertionConsumesOnce(in: store, .none)
        case .insertionConsumesOnceUnderCancellation: try await insertionConsumesOnce(in: store, .cancellation)
        case .insertionConsumesOnceUnderErrors: try await insertionConsumesOnce(in: store, .error)
        case .insertionKeepsExisting: try await insertionKeepsExisting(in: store)
        case .counterAdvancesOnce: try await counterAdvancesOnce(in: store, .none)
        case .counterAdvancesOnceUnderCancellation: try await counterAdvancesOnce(in: store, .cancellation)
        case .counterAdvancesOnceUnderErrors: try await counterAdvancesOnce(in: store, .error)
        case .advanceConsumesOnce: try await advanceConsumesOnce(in: store, .none)
        case .advanceConsumesOnceUnderCancellation: try await advanceConsumesOnce(in: store, .cancellation)
        case .advanceConsumesOnceUnderErrors: try await advanceConsumesOnce(in: store, .error)
        case .usedCountersAreKept: try await usedCountersAreKept(in: store)
        case .oneAnswerCounts: try await oneAnswerCounts(in: store)
        case .counterLosesNothing: try await counterLosesNothing(in: store)
        case .counterNeverGoesBack: try await counterNeverGoesBack(in: store)
        case .keyWithoutCounterIsUsed: try await keyWithoutCounterIsUsed(in: store)
        case .revocationHolds: try await revocationHolds(in: store)
        case .methodsKeepEachOthersWrites: try await methodsKeepEachOthersWrites(in: store)
        case .accountKeysAreListed: try await accountKeysAreListed(in: store)
        case .accountKeysAreRevokedTogether: try await accountKeysAreRevokedTogether(in: store)
        case .receiptIsClaimedOnce: try await receiptIsClaimedOnce(in: store)
        case .receiptIsReplacedOnce: try await receiptIsReplacedOnce(in: store)
        case .isConsumedOnce: try await isConsumedOnce(in: store, .none)
        case .isConsumedOnceUnderCancellation: try await isConsumedOnce(in: store, .cancellation)
        case .isConsumedOnceUnderErrors: try await isConsumedOnce(in: store, .error)
        case .spentIsFound: try await spentIsFound(in: store)
        case .unexpiredIsKept: try await unexpiredIsKept(by: store)
        case .budgetIsNotOverspent: try await budgetIsNotOverspent(in: store, .none)
        case .budgetIsNotOverspentUnderCancellation: try await budgetIsNotOverspent(in: store, .cancellation)
        case .budgetIsNotOverspentUnderErrors: try await budgetIsNotOverspent(in: store, .error)
        case .budgetLimitsHold: try await budgetLimitsHold(in: store)
        case .budgetsAreApart: try await budgetsAreApart(in: store)
        case .budgetIsSettled: try await budgetIsSettled(in: store)
        case .pastBudgetsAreRemoved: try await pastBudgetsAreRemoved(from: store)
        }
    }
}
