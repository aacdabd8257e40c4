import AttestService
import PureAppStore
import PureAppStoreTesting
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureX509

struct PurchaseSettings {
    /// The products of each environment; production first.
    var products: [(environment: AppStoreEnvironment, budgets: [ProductBudget])]
    var bundleIDUTF8: [UInt8]
    var appAppleID: Int64?
    var maximumKeys: Int

    /// - Parameter testAuthority: the seed of a virtual App Store whose purchases are accepted instead of Apple's.
    func purchases<Store: RelyingPartyStore & PurchaseStore>(
        of party: RelyingParty<Store>, testAuthority: UInt64?
    ) throws -> Purchases<Store> {
        Purchases(
            of: party,
            environments: try products.map { environment, budgets in
                (verifier: try verifier(environment, testAuthority), products: budgets)
            }, maximumKeys: maximumKeys, store: party.store)
    }

    /// Returns whether a sandbox product has a larger budget than `budget`. Such a product is unsafe, because sandbox
    /// purchases are free. (A smaller budget is a settings error.)
    func isGenerousInSandbox(besides budget: Budget?) -> Bool {
        products.contains { environment, budgets in
            environment == .sandbox && budgets.contains { $0.budget.limit != budget?.limit }
        }
    }

    private func verifier(_ environment: AppStoreEnvironment, _ seed: UInt64?) throws -> SignedDataVerifier {
        guard let seed else {
            return try SignedDataVerifier(
                bundleIDUTF8: bundleIDUTF8, appAppleID: appAppleID, environment: environment)
        }
        return try SignedDataVerifier(
            bundleIDUTF8: bundleIDUTF8, appAppleID: appAppleID, environment: environment,
            testRoots: [Certificate(derEncoded: TestAppStore(seed: seed).root)])
    }
}

extension Variables {
    /// - Parameters:
    ///   - app: the app whose purchases are accepted.
    ///   - budget: the budget of a key without a purchase. Its period applies to purchases too.
    func purchases(of app: AppID, besides budget: Budget) throws(SettingsError) -> PurchaseSettings? {
        let (appAppleID, maximumKeys) = (try number(.appAppleID), try number(.purchaseKeys))
        var products: [(AppStoreEnvironment, [ProductBudget])] = []
        for (setting, environment) in [
            (Setting.purchaseProducts, AppStoreEnvironment.production), (.purchaseSandboxProducts, .sandbox),
        ] {
            guard let list = try list(setting) else { continue }
            products.append((environment, try budgets(list, setting, besides: budget)))
        }
        if text(.purchaseProducts) != nil { _ = try required(.appAppleID) }
        guard !products.isEmpty else {
            guard maximumKeys == nil else {
                throw SettingsError(
                    "\(Setting.purchaseKeys.variable) has no effect without \(Setting.purchaseProducts.variable); set both or neither"
                )
            }
            return nil
        }
        return PurchaseSettings(
            // An App ID is ten bytes, a dot and the bundle ID.
            products: products, bundleIDUTF8: Array(app.bytes.dropFirst(11)), appAppleID: appAppleID.map { Int64($0) },
            maximumKeys: maximumKeys ?? PurchaseRules.defaultMaximumKeys)
    }

    private func budgets(
        _ list: [String], _ setting: Setting, besides own: Budget
    ) throws(SettingsError) -> [ProductBudget] {
        var budgets: [ProductBudget] = []
        for product in list {
            let sides = product.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            let colon = UInt8(ascii: ":")
            let parts = sides.count == 2 ? sides[1].split(separator: colon, omittingEmptySubsequences: false) : []
            let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
            let amounts = numbers.filter { 1...BudgetAmount.maximum ~= $0 }
            guard parts.count == 2, amounts.count == 2, !sides[0].isEmpty,
                !budgets.contains(where: { $0.productIDUTF8 == Array(sides[0]) })
            else {
                throw SettingsError(
                    "\(setting.variable) must look like com.example.pro=1000:500000, a product's requests and tokens; each product once"
                )
            }
            let budget = Budget(days: own.days, requests: amounts[0], units: amounts[1])
            guard budget.limit.requests >= own.limit.requests, budget.limit.units >= own.limit.units else {
                throw SettingsError(
                    "\(setting.variable) must give each product \(Setting.budgetRequests.variable) requests and \(Setting.budgetUnits.variable) tokens or more; a purchase replaces them"
                )
            }
            budgets.append(ProductBudget(productIDUTF8: sides[0], budget))
        }
        return budgets
    }
}
