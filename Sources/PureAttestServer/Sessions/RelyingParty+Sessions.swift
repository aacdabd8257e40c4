public import PureAttest

extension RelyingParty {
    /// Opens a session for a key that has just signed. The session begins at the time of the authentication. The token
    /// names the key's platform (``/PureAttestServerCore/Session/platform``) and, for App Attest, the app that ran.
    public func session<Signature>(from authentication: Authentication<Signature>) -> IssuedSession {
        rules.session(from: authentication, random: freshBytes())
    }

    /// Opens a session for a key that was just attested. The session begins at the time of the registration and needs
    /// no further signature. The token has the same content as a token that is issued after an authentication.
    public func session<Attestation>(from registration: Registration<Attestation>) -> IssuedSession {
        rules.session(from: registration, random: freshBytes())
    }

    /// Verifies a session token that is passed as text.
    public func verifySession(_ token: String, at time: UnixTime) async throws(Failure) -> Session {
        try await verifySession(Array(token.utf8), at: time)
    }

    /// Verifies a session token.
    ///
    /// - Throws: ``/PureAttestServerCore/Refusal/invalidToken``, ``/PureAttestServerCore/Refusal/expiredToken``,
    ///   ``/PureAttestServerCore/Refusal/tokenOfOtherEnvironment(_:)``,
    ///   ``/PureAttestServerCore/Refusal/tokenOfOtherAudience``, ``/PureAttestServerCore/Refusal/deniedToken``,
    ///   ``/PureAttestServerCore/Refusal/tokenConsumed``, ``/PureAttestServerCore/Refusal/rateLimited(retryAfter:)``,
    ///   or the store's error.
    public func verifySession(_ token: [UInt8], at time: UnixTime) async throws(Failure) -> Session {
        try await decide(.verifySession, at: time) { () throws(Refusal) in
            try rules.verifySession(token, at: time) { $0 }
        }
    }

    /// Ends a session, for example at logout. From now on the session's token is rejected, because the store lists the
    /// token as consumed. Has no effect under ``/PureAttestServerCore/SessionUse/untilExpiry``.
    public func endSession(_ session: Session) async throws(Failure) {
        _ = try await run(rules.endSession(tokenID: session.tokenID, expiresAt: session.expiresAt) { $0 })
    }

    /// Issues a token of the unattested tier, for a device without attestation. The tier has its own rate limit. Tokens
    /// of this tier are not accepted as a ``/PureAttestServerCore/Session``.
    ///
    /// The client does not prove which app it is. The token is therefore accepted only by relying parties in the same
    /// environment that accept exactly the same apps. `clientAddress` is the requester's network address, or another
    /// name, for rate limits.
    ///
    /// - Throws: ``/PureAttestServerCore/Refusal/rateLimited(retryAfter:)``.
    public func unattestedSession(for clientAddress: ClientAddress, at time: UnixTime) throws(Failure) -> IssuedSession
    {
        try decide(.unattestedSession, at: time) { () throws(Refusal) in
            try rules.unattestedSession(for: clientAddress, random: freshBytes(), at: time) { $0 }
        }
    }

    /// Verifies a token of the unattested tier that is passed as text.
    public func verifyUnattestedSession(_ token: String, at time: UnixTime) throws(Failure) -> UnattestedSession {
        try verifyUnattestedSession(Array(token.utf8), at: time)
    }

    /// Verifies a token of the unattested tier without asking the store.
    ///
    /// - Throws: ``/PureAttestServerCore/Refusal/invalidToken``, ``/PureAttestServerCore/Refusal/expiredToken``,
    ///   ``/PureAttestServerCore/Refusal/tokenOfOtherAudience``,
    ///   ``/PureAttestServerCore/Refusal/rateLimited(retryAfter:)``.
    public func verifyUnattestedSession(_ token: [UInt8], at time: UnixTime) throws(Failure) -> UnattestedSession {
        try decide(.verifyUnattestedSession, at: time) { () throws(Refusal) in
            try rules.verifyUnattestedSession(token, at: time) { $0 }
        }
    }
}
