import PureAttestStoreTesting

extension BrokenStore {
    enum Mistake: CaseIterable {
        case none
        case dropsAccount
        /// Stores only the key, app, environment and counter of a record.
        case dropsFieldsOfKey
        case dropsReceiptTime
        case dropsLastUse
        /// Overwrites a key that was inserted between the check and the insertion.
        case insertsKeyInTwoSteps
        /// If the task was cancelled, reports the key as new but does not store it.
        case undoesInsertionWhenCancelled
        case replacesKey
        /// Caches a record that was read, and evicts the record only after a use of the key.
        case cachesKeys
        /// Recording a use writes back the whole record that was read earlier, if the stored key has not changed.
        case usesStaleRecord
        /// Recording a revocation, or a new receipt, writes back the whole record that was read earlier.
        case revokesStaleRecord, replacesReceiptOfStaleRecord
        case consumesChallengeInTwoSteps
        case neverConsumesChallenges
        /// Consumes the challenge even if it does not advance the key.
        case consumesBeforeComparing
        case advancesBeforeConsuming
        case insertsBeforeConsuming
        case consumesOnlyForNewKeys
        /// If the task was cancelled, consumes the challenge but does not advance the counter.
        case losesAdvanceWhenCancelled
        case advancesInTwoSteps
        /// If the task was cancelled, reports the counter as advanced but does not advance it.
        case undoesAdvanceWhenCancelled
        case advancesAlways
        /// Finds every key changed.
        case neverAdvances
        /// Compares only the greatest counters of keys.
        case comparesCounters
        /// Requires a larger counter for every key, although Android keys have no counter.
        case wantsLargerCounter
        /// Advances the counter of a revoked key.
        case ignoresRevocation
        case consumesInTwoSteps
        /// If the task was cancelled, reports the token as consumed but does not store it.
        case undoesConsumingWhenCancelled
        case neverSpends
        /// Each instance knows only the tokens that it has consumed itself.
        case consumesPerInstance
        /// Stores Base64, and compares it without regard to case.
        case comparesTokensWithoutCase, comparesAccountsWithoutCase
        /// Stores and compares only the first 64 bytes of an account's name.
        case truncatesAccounts
        /// Deletes expired tokens by its own clock. This is not a mistake.
        case removesByItsClock
        case removesEverything
        /// Removes entries during the minute before they expire.
        case removesEarly
        /// Removes every token after the longest session lifetime, even if the token expires later.
        case keepsConsumedForADay
        /// When the store consumes a token, it removes all tokens that expire earlier than this token.
        case removesWhenConsuming
        case removesRevokedKeys
        case listsInNoOrder
        /// Begins each page with the last key of the previous page.
        case repeatsKeysOfPages
        /// Revokes only the first five keys.
        case revokesOnePage
        /// Also revokes the keys that have no account.
        case revokesKeysOfAll
        case claimsInTwoSteps
        case claimsReceiptsOfRevokedKeys
        /// Claims receipts outside the scope too.
        case claimsReceiptsOfAll
        case replacesAnyReceipt
        case spendsBudgetInTwoSteps
        /// If the task was cancelled, reports the budget as used but does not store the use.
        case undoesBudgetWhenCancelled
        case insertsBudgetWithoutLimit
        case ignoresUnits, ignoresRequests
        /// Returns the amount that was used before the call instead of after it.
        case returnsFormerBudget
        /// Uses one budget row for all holders, or for all periods.
        case sharesBudgets, ignoresPeriods
        /// Settles below zero, settles above the maximum, never settles, or settles only downwards.
        case settlesBelowZero, settlesBeyondEnd, neverSettles, settlesDownOnly
        /// Settling also gives back the request, or creates a missing row.
        case settlesRequests, settlesIntoNothing
        /// Removes ended budgets a second early, a second late, or never.
        case removesCurrentBudgets, removesLate, keepsPastBudgets
        /// Compares the sequential numbers of periods instead of the times at which periods end.
        case removesByNumber
        case throwsAlways

        /// Whether the store has no mistake, or a mistake that a single instance cannot show.
        var breaksNothing: Bool { self == .none || self == .removesByItsClock || self == .consumesPerInstance }

        var brokenRules: Set<StoreViolation.Rule> {
            switch self {
            case .none, .removesByItsClock, .consumesPerInstance: []
            case .cachesKeys:
                [.revocationHolds, .accountKeysAreRevokedTogether, .receiptIsClaimedOnce, .receiptIsReplacedOnce]
            case .usesStaleRecord, .revokesStaleRecord, .replacesReceiptOfStaleRecord: [.methodsKeepEachOthersWrites]
            case .neverAdvances: [.counterLosesNothing, .oneAnswerCounts, .counterAdvancesOnce]
            case .comparesCounters: [.usedCountersAreKept]
            case .comparesTokensWithoutCase: [.spentIsFound]
            case .comparesAccountsWithoutCase: [.accountKeysAreListed, .accountKeysAreRevokedTogether]
            case .truncatesAccounts: [.keyIsKept, .accountKeysAreListed, .accountKeysAreRevokedTogether]
            case .dropsFieldsOfKey: [.keyIsKept]
            case .dropsAccount: [.keyIsKept]
            case .dropsReceiptTime: [.keyIsKept, .receiptIsClaimedOnce]
            case .dropsLastUse: [.counterNeverGoesBack, .insertionKeepsExisting]
            case .insertsKeyInTwoSteps: [.keyIsInsertedOnce]
            case .undoesInsertionWhenCancelled: [.keyIsInsertedOnceUnderCancellation]
            case .replacesKey: [.insertionKeepsExisting]
            case .consumesChallengeInTwoSteps: [.insertionConsumesOnce, .advanceConsumesOnce]
            case .neverConsumesChallenges:
                [.insertionConsumesOnce, .advanceConsumesOnce, .oneAnswerCounts, .unexpiredIsKept]
            case .consumesBeforeComparing: [.counterAdvancesOnce, .counterNeverGoesBack, .revocationHolds]
            case .advancesBeforeConsuming: [.advanceConsumesOnce, .counterNeverGoesBack]
            case .insertsBeforeConsuming: [.insertionConsumesOnce, .insertionKeepsExisting]
            case .consumesOnlyForNewKeys: [.keyIsInsertedOnce, .insertionKeepsExisting]
            case .losesAdvanceWhenCancelled: [.counterAdvancesOnceUnderCancellation]
            case .advancesInTwoSteps: [.counterAdvancesOnce, .counterLosesNothing]
            case .undoesAdvanceWhenCancelled: [.counterAdvancesOnceUnderCancellation]
            case .advancesAlways: [.counterAdvancesOnce, .counterNeverGoesBack]
            case .wantsLargerCounter: [.keyWithoutCounterIsUsed]
            case .ignoresRevocation: [.revocationHolds]
            case .consumesInTwoSteps: [.isConsumedOnce]
            case .undoesConsumingWhenCancelled: [.isConsumedOnceUnderCancellation]
            case .neverSpends: [.spentIsFound]
            case .removesEverything, .removesEarly, .keepsConsumedForADay, .removesWhenConsuming: [.unexpiredIsKept]
            case .removesRevokedKeys: [.revocationHolds]
            case .listsInNoOrder, .repeatsKeysOfPages: [.accountKeysAreListed]
            case .revokesOnePage, .revokesKeysOfAll: [.accountKeysAreRevokedTogether]
            case .claimsInTwoSteps, .claimsReceiptsOfRevokedKeys, .claimsReceiptsOfAll: [.receiptIsClaimedOnce]
            case .replacesAnyReceipt: [.receiptIsReplacedOnce]
            case .spendsBudgetInTwoSteps: [.budgetIsNotOverspent]
            case .undoesBudgetWhenCancelled: [.budgetIsNotOverspentUnderCancellation]
            case .insertsBudgetWithoutLimit, .ignoresUnits, .ignoresRequests, .returnsFormerBudget:
                [.budgetLimitsHold]
            case .sharesBudgets, .ignoresPeriods: [.budgetsAreApart]
            case .settlesBelowZero, .settlesBeyondEnd, .neverSettles, .settlesDownOnly, .settlesRequests,
                .settlesIntoNothing:
                [.budgetIsSettled]
            case .removesCurrentBudgets, .removesLate, .keepsPastBudgets, .removesByNumber: [.pastBudgetsAreRemoved]
            case .throwsAlways: Set(StoreViolation.Rule.allCases)
            }
        }
    }
}
