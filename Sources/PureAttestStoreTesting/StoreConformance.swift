public import PureAttestServer

/// What a store did that it must not.
public struct StoreViolation: Error, Hashable, Sendable {
    /// The rules of ``PureAttestServer/RelyingPartyStore``.
    public enum Rule: String, CaseIterable, Hashable, Sendable {
        /// A challenge comes out as it went in, and an unknown one doesn't.
        case challengeIsKept
        /// A challenge is consumed once, of many at the same time.
        case challengeIsConsumedOnce
        /// The same, where tasks are cancelled meanwhile.
        case challengeIsConsumedOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case challengeIsConsumedOnceUnderErrors
        /// Removing expired entries leaves the others, to their last second.
        case unexpiredIsKept
        /// A record comes out as it went in, and an unknown one doesn't.
        case keyIsKept
        /// A key is inserted once, of many at the same time, and the others get the winner's record.
        case keyIsInsertedOnce
        /// The same, where tasks are cancelled meanwhile.
        case keyIsInsertedOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case keyIsInsertedOnceUnderErrors
        /// Inserting a key again leaves its counter, account and revocation.
        case insertionKeepsExisting
        /// Of many that advance one state at the same time one succeeds, and its state is stored.
        case counterAdvancesOnce
        /// The same, where tasks are cancelled meanwhile.
        case counterAdvancesOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case counterAdvancesOnceUnderErrors
        /// No advance is lost: many tasks that advance by one leave their number.
        case counterLosesNothing
        /// A state that is not the stored one can't be advanced: no counter goes back.
        case counterNeverGoesBack
        /// A key is revoked once, stays so for good, and isn't advanced any more.
        case revocationHolds
        /// A token is listed once, of many at the same time.
        case tokenIsDeniedOnce
        /// The same, where tasks are cancelled meanwhile.
        case tokenIsDeniedOnceUnderCancellation
        /// The same, where a task fails meanwhile.
        case tokenIsDeniedOnceUnderErrors
        /// A listed token is found, others aren't.
        case tokenIsListed
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
        case .challengeIsKept: try await challengeIsKept(by: store)
        case .challengeIsConsumedOnce: try await challengeIsConsumedOnce(from: store, .none)
        case .challengeIsConsumedOnceUnderCancellation: try await challengeIsConsumedOnce(from: store, .cancellation)
        case .challengeIsConsumedOnceUnderErrors: try await challengeIsConsumedOnce(from: store, .error)
        case .unexpiredIsKept: try await unexpiredIsKept(by: store)
        case .keyIsKept: try await keyIsKept(by: store)
        case .keyIsInsertedOnce: try await keyIsInsertedOnce(into: store, .none)
        case .keyIsInsertedOnceUnderCancellation: try await keyIsInsertedOnce(into: store, .cancellation)
        case .keyIsInsertedOnceUnderErrors: try await keyIsInsertedOnce(into: store, .error)
        case .insertionKeepsExisting: try await insertionKeepsExisting(in: store)
        case .counterAdvancesOnce: try await counterAdvancesOnce(in: store, .none)
        case .counterAdvancesOnceUnderCancellation: try await counterAdvancesOnce(in: store, .cancellation)
        case .counterAdvancesOnceUnderErrors: try await counterAdvancesOnce(in: store, .error)
        case .counterLosesNothing: try await counterLosesNothing(in: store)
        case .counterNeverGoesBack: try await counterNeverGoesBack(in: store)
        case .revocationHolds: try await revocationHolds(in: store)
        case .tokenIsDeniedOnce: try await tokenIsDeniedOnce(in: store, .none)
        case .tokenIsDeniedOnceUnderCancellation: try await tokenIsDeniedOnce(in: store, .cancellation)
        case .tokenIsDeniedOnceUnderErrors: try await tokenIsDeniedOnce(in: store, .error)
        case .tokenIsListed: try await tokenIsListed(in: store)
        }
    }
}
