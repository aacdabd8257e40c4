#if arch(wasm32)
    import Interface
    import PureAttestPurchasesMessages
    import PureAttestServerMessages

    /// Creates purchases. `settings`: `PurchaseMessages.init`.
    ///
    /// - Returns: a handle, or null for malformed settings.
    @c(pure_attest_purchases_create)
    public func createPurchases(_ settings: UnsafeRawPointer?, _ settingsCount: Int32) -> OpaquePointer? {
        guard let settings = unsafe try? bytes(settings, settingsCount),
            let purchases = try? PurchaseMessages(settings: settings)
        else { return nil }
        return unsafe OpaquePointer(Unmanaged.passRetained(purchases).toOpaque())
    }

    /// Begins a decision: `PurchaseMessages.begin`.
    ///
    /// - Returns: 0, with the address and size of a message in `result`, which the caller frees; otherwise 254.
    @c(pure_attest_purchases_begin)
    public func begin(
        _ handle: OpaquePointer?, _ request: UnsafeRawPointer?, _ requestCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: request, requestCount, in: result) { request throws(MessageError) in
            try unsafe purchases(handle).begin(request)
        }
    }

    /// Continues with the answer to a question: the waiting decision's number, and the answer's values.
    ///
    /// - Returns: as ``begin(_:_:_:_:)``.
    @c(pure_attest_purchases_answer)
    public func answer(
        _ handle: OpaquePointer?, _ number: Int32, _ answer: UnsafeRawPointer?, _ answerCount: Int32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe reply(to: answer, answerCount, in: result) { answer throws(MessageError) in
            try unsafe purchases(handle).answer(number, answer)
        }
    }

    /// Drops a waiting decision, because the store is out of order.
    @c(pure_attest_purchases_drop)
    public func drop(_ handle: OpaquePointer?, _ number: Int32) { unsafe try? purchases(handle).drop(number) }

    private func purchases(_ handle: OpaquePointer?) throws(MessageError) -> PurchaseMessages {
        guard let handle = unsafe handle else { throw .malformed }
        return unsafe Unmanaged<PurchaseMessages>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }
#endif
