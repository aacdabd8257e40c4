#if arch(wasm32)
    import Interface
    import PureAttestPurchasesMessages
    import PureAttestServerMessages

    /// Creates the purchases object. For the format of `settings`, see `PurchaseMessages.init`. Returns a handle, or
    /// null for malformed settings.
    @c(pure_attest_purchases_create)
    public func createPurchases(_ settings: UnsafeRawPointer?, _ settingsCount: Int32) -> OpaquePointer? {
        guard let settings = unsafe try? bytes(settings, settingsCount),
            let purchases = try? PurchaseMessages(settings: settings)
        else { return nil }
        return unsafe OpaquePointer(Unmanaged.passRetained(purchases).toOpaque())
    }

    /// Begins a decision; see `PurchaseMessages.begin`. Returns 0, or 254 for a malformed argument or message. With 0,
    /// `result` contains the address and the size of a message that the caller must free.
    @c(pure_attest_purchases_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: request, requestCount, in: result) { request throws(MessageError) in
            try unsafe purchases(handle).begin(request)
        }
    }

    /// Continues the waiting decision that `number` identifies. `answer` contains the values that answer the decision's
    /// question. Returns the same values as ``begin(_:_:_:_:)``.
    @c(pure_attest_purchases_answer)
    public func answer(
        _ handle: OpaquePointer?, _ number: Int32, _ answer: UnsafeRawPointer?, _ answerCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: answer, answerCount, in: result) { answer throws(MessageError) in
            try unsafe purchases(handle).answer(number, answer)
        }
    }

    /// Drops a waiting decision. The caller drops a decision if the store fails or if the request is cancelled.
    @c(pure_attest_purchases_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) { unsafe try? purchases(handle).drop(number) }

    private func purchases(_ handle: OpaquePointer?) throws(MessageError) -> PurchaseMessages {
        guard let handle = unsafe handle else { throw .malformed }
        return unsafe Unmanaged<PurchaseMessages>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }
#endif
