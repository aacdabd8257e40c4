#if arch(wasm32)
    import Interface
    import MessagesInterface
    import PureAttestPurchasesMessages
    import PureAttestServerMessages

    /// Creates the purchases object. For the format of `settings`, see `DecisionMessages.init(purchases:)`. Returns a
    /// handle for `pure_attest_messages_begin`, or null for malformed settings.
    @c(pure_attest_purchases_create)
    public func createPurchases(_ settings: UnsafeRawPointer?, _ settingsCount: Int32) -> OpaquePointer? {
        guard let settings = unsafe try? bytes(settings, settingsCount),
            let purchases = try? DecisionMessages(purchases: settings)
        else { return nil }
        return unsafe handle(of: purchases)
    }
#endif
