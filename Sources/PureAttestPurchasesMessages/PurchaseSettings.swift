import PureAppStore
import PureAttest
import PureAttestPurchasesCore
import PureAttestServerCore
import PureAttestServerMessages
import PureBytes

/// Each setting is a name and its values. A product belongs to the last environment that precedes it in the message.
struct PurchaseSettings {
    private var bundleID: [UInt8] = []
    private var party = Environment.production
    private var environments: [(environment: AppStoreEnvironment, appAppleID: Int64?, products: [ProductBudget])] = []
    private var maximumKeys = PurchaseRules.defaultMaximumKeys
    private var maximumAttempts: Int?

    init(_ message: [UInt8]) throws(MessageError) {
        var reader = WireReader(message)
        while !reader.isAtEnd { try read(try reader.bytes(), &reader) }
    }

    func rules(
        _ verifier: ([UInt8], Int64?, AppStoreEnvironment) throws(AppStoreError) -> SignedDataVerifier
    ) throws(MessageError) -> [PurchaseRules] {
        guard !environments.isEmpty else { throw .malformed }
        var rules: [PurchaseRules] = []
        for (environment, appAppleID, products) in environments {
            do throws(AppStoreError) {
                var each = PurchaseRules(
                    verifier: try verifier(bundleID, appAppleID, environment), environment: party,
                    products: products, maximumKeys: maximumKeys)
                if let maximumAttempts { each.maximumAttempts = maximumAttempts }
                rules.append(each)
            } catch { throw .malformed }
        }
        return rules
    }

    private mutating func read(_ name: [UInt8], _ reader: inout WireReader) throws(MessageError) {
        func isNamed(_ text: StaticString) -> Bool { isEqual(name[...], text) }
        if isNamed("bundleID") {
            bundleID = try reader.bytes()
        } else if isNamed("appAttestEnvironment") {
            guard let environment = Environment(rawValue: UInt8(clamping: try reader.number())) else {
                throw .malformed
            }
            party = environment
        } else if isNamed("environment") {
            environments.append((try reader.choice(), try reader.optionalNumber(), []))
        } else if isNamed("product") {
            guard let last = environments.indices.last else { throw .malformed }
            let id = try reader.bytes()
            let budget = Budget(
                days: try reader.number(), requests: try reader.number(), units: try reader.number())
            environments[last].products.append(ProductBudget(productIDUTF8: id, budget))
        } else if isNamed("maximumKeys") {
            maximumKeys = Int(clamping: try reader.number())
        } else if isNamed("maximumAttempts") {
            maximumAttempts = Int(clamping: try reader.number())
        } else {
            throw .malformed
        }
    }
}
