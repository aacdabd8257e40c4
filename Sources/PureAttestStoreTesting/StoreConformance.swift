public import PureAttestServer

/// What a store did that it must not.
public struct StoreViolation: Error, Hashable, Sendable {
    /// The rules of `RelyingPartyStore`.
    public enum Rule: String, CaseIterable, Hashable, Sendable {
        /// A record comes out as it went in, and an unknown one doesn't.
        case keyIsKept
        /// A key is inserted once, of many at the same time, the others get the winner's record, and each consumes its challenge.
        case keyIsInsertedOnce
        /// The same, where tasks are cancelled meanwhile.
        case keyIsInsertedOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case keyIsInsertedOnceUnderErrors
        /// Of many keys with one challenge one is inserted, and the others are not.
        case insertionConsumesOnce
        /// The same, where tasks are cancelled meanwhile.
        case insertionConsumesOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case insertionConsumesOnceUnderErrors
        /// Inserting a key again leaves its counter, account and revocation; a consumed challenge inserts none.
        case insertionKeepsExisting
        /// Of many that advance one state at the same time one succeeds, and its state is stored; the others consume nothing.
        case counterAdvancesOnce
        /// The same, where tasks are cancelled meanwhile.
        case counterAdvancesOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case counterAdvancesOnceUnderErrors
        /// Of many keys with one challenge one is advanced, and the others stay as they are.
        case advanceConsumesOnce
        /// The same, where tasks are cancelled meanwhile.
        case advanceConsumesOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case advanceConsumesOnceUnderErrors
        /// Of many answers to one challenge one advances the key, however often each is tried.
        case oneAnswerCounts
        /// No advance is lost: many tasks that advance by one leave their number.
        case counterLosesNothing
        /// A state that is not the stored one can't be advanced, nor one with a consumed challenge: no counter goes back, and the last use is the last that counted.
        case counterNeverGoesBack
        /// An Android key, which has no counter, is used once with each challenge, by any number at the same time, until it is revoked.
        case keyWithoutCounterIsUsed
        /// A key is revoked once, stays so for good, and isn't advanced any more.
        case revocationHolds
        /// The keys of an account are listed in pages, all of them and no others.
        case accountKeysAreListed
        /// The keys of an account are revoked, all of them and no others.
        case accountKeysAreRevokedTogether
        /// A receipt that is due is claimed once until it is due again.
        case receiptIsClaimedOnce
        /// A receipt is replaced once, of many at the same time.
        case receiptIsReplacedOnce
        /// A token is consumed once, of many at the same time.
        case isConsumedOnce
        /// The same, where tasks are cancelled meanwhile.
        case isConsumedOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case isConsumedOnceUnderErrors
        /// What is consumed is found, other things aren't.
        case spentIsFound
        /// Removing what has expired leaves the rest, to its last second.
        case unexpiredIsKept
        /// Of many that spend a budget at the same time as many succeed as it has room for, the first of all included.
        case budgetIsNotOverspent
        /// The same, where tasks are cancelled meanwhile.
        case budgetIsNotOverspentUnderCancellation
        /// The same, where a task fails meanwhile.
        case budgetIsNotOverspentUnderErrors
        /// A budget is spent to its last request and unit and not beyond, and its first request is no exception.
        case budgetLimitsHold
        /// Budgets of several holders and periods do not touch each other.
        case budgetsAreApart
        /// Settling corrects the units that are used, up and down, between nothing and the largest number.
        case budgetIsSettled
        /// Removal deletes the periods that have ended and leaves the others, whatever their length and whoever's they are.
        case pastBudgetsAreRemoved
    }

    /// The broken rule.
    public let rule: Rule
    /// The store's error, where that is what broke it.
    public let unexpectedError: Bool
}

/// Tests a store: each rule on a fresh one.
///
/// Races are found by repetition, so a store that passes once is not proved right; one that fails is wrong. Call it from
/// a test of any framework:
///
///     let violations = await StoreConformance { try await MyStore(…) }.violations()
///     #expect(violations.isEmpty)
public struct StoreConformance<Store: RelyingPartyStore>: Sendable {
    let makeStore: @Sendable () async throws -> Store
    let tasks: Int
    let rounds: Int

    /// - Parameters:
    ///   - tasks: how many take part in each race; at least 4.
    ///   - rounds: how often each race is run; at least 1.
    ///   - makeStore: gives an empty store.
    public init(tasks: Int = 32, rounds: Int = 8, makeStore: @escaping @Sendable () async throws -> Store) {
        self.tasks = max(tasks, 4)
        self.rounds = max(rounds, 1)
        self.makeStore = makeStore
    }

    /// The rules that the store broke, in order; empty for a store that kept all.
    public func violations() async -> [StoreViolation] {
        var violations: [StoreViolation] = []
        for rule in StoreViolation.Rule.allCases {
            do {
                let store = try await makeStore()
                guard try await holds(rule, for: store) else {
                    violations.append(StoreViolation(rule: rule, unexpectedError: false))
                    continue
                }
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
        case .oneAnswerCounts: try await oneAnswerCounts(in: store)
        case .counterLosesNothing: try await counterLosesNothing(in: store)
        case .counterNeverGoesBack: try await counterNeverGoesBack(in: store)
        case .keyWithoutCounterIsUsed: try await keyWithoutCounterIsUsed(in: store)
        case .revocationHolds: try await revocationHolds(in: store)
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
