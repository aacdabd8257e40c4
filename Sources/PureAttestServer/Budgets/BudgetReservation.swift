import Synchronization

/// Proof that a budget had room for a request, and was charged the maximum that the request can use.
///
/// `RelyingParty.spendBudget(_:by:from:at:)` returns a reservation. Pass it to ``RelyingParty/settle(_:used:)`` when the
/// request's actual use is known. A reservation that is never settled stays charged in full.
public final class BudgetReservation: Sendable {
    /// The reserved units.
    public let units: Int64
    /// The balance after this reservation.
    public let balance: BudgetBalance
    let row: BudgetPeriod
    private let settled = Atomic(false)

    init(_ charged: ChargedBudget) {
        (units, balance, row) = (charged.units, charged.balance, charged.row)
    }

    /// Returns `true` only for the first call.
    func beginSettling() -> Bool { !settled.exchange(true, ordering: .relaxed) }
}
