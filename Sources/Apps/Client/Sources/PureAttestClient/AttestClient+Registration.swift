import Foundation

/// The key cannot be attested, but a different key may succeed.
private struct KeyIsUseless: Error {
    let cause: AttestError
    /// Whether the device reported the key as invalid. Some devices report every key as invalid.
    var isInvalid = false
}

extension AttestClient {
    /// Returns the registered key. If no key is registered, first makes, attests and registers one, usually once per
    /// installation.
    ///
    /// Calling this method is optional, because ``session()`` and ``sendSigned(_:)`` call it when needed. Call it to
    /// choose the moment of the registration.
    public func register() async throws -> String {
        if let registration { return try await registration.value }
        if let key = try state().key, key.stage == .registered { return key.keyID }
        guard keyService.isSupported else { throw AttestError.unsupported }
        // Register in a separate task, so that cancelling one caller does not cancel other callers.
        let task = Task {
            defer { registration = nil }
            return try await attestKey()
        }
        registration = task
        return try await task.value
    }

    private func attestKey() async throws -> String {
        if let pause = try state().pause {
            let seconds = pause.until.timeIntervalSince(clock.now)
            // If the remaining time exceeds the length of the pause, the clock was set back, so ignore the pause.
            if seconds > 0, seconds <= pause.seconds ?? Self.week {
                throw pause.isEnrolment ? AttestError.enrolLater(seconds: seconds) : .retryLater(seconds: seconds)
            }
        }
        do {
            let isFirst = try state().failures == 0
            do { return try await takeKeyThroughItsStages() } catch let error as KeyIsUseless
                where isFirst || !error.isInvalid
            {
                try discardKey()
                return try await takeKeyThroughItsStages()
            }
        } catch let error as KeyIsUseless {
            try discardKey()
            try pause(atMost: error.isInvalid ? Self.week : Self.hour)
            throw error.cause
        }
    }

    /// Saves each stage before the next begins, so that a restarted process resumes at the saved stage.
    private func takeKeyThroughItsStages() async throws -> String {
        var key: StoredKey
        if let known = try state().key {
            key = known
        } else {
            // Test the storage first. If it cannot save, each call would make a key and lose it.
            try save(state())
            do { key = StoredKey(keyID: try await keyService.generateKey(), stage: .made) } catch let error
                as KeyServiceError
            { throw AttestError(error) }
            try save(key)
        }
        if key.stage == .made {
            key.stage = .attesting(challenge: try await requestChallenge("attestation", key.keyID), since: clock.now)
            // Save the challenge first, because the key must never be attested with a different challenge.
            try save(key)
        }
        var mayHaveArrived = true
        if case .attesting(let challenge, let since) = key.stage {
            key.stage = .attested(challenge: challenge, object: try await attest(key.keyID, challenge, since: since))
            mayHaveArrived = false
            // If this save fails and the process then ends, the next process makes a new key, which is harmless.
            keep(key)
        }
        if case .attested(let challenge, let object) = key.stage {
            try await submit(key.keyID, challenge, object, mayHaveArrived: mayHaveArrived)
            key.stage = .registered
            keep(key)
        }
        return key.keyID
    }

    /// After `serverUnavailable`, retries with the same key and hash, which preserves the device's risk metric. After
    /// any other error, discards the key. Apple advises both. Also discards a key whose challenge has expired, because
    /// the server would reject the attestation.
    private func attest(_ keyID: String, _ challenge: Data, since: Date) async throws -> Data {
        func isFresh(after seconds: Double) -> Bool {
            (0..<configuration.challengeLifetime).contains(clock.now.timeIntervalSince(since) + seconds)
        }
        guard isFresh(after: 0) else { throw KeyIsUseless(cause: .retryLater(seconds: configuration.firstPause)) }
        for attempt in 1... {
            do { return try await keyService.attestKey(keyID, clientDataHash: sha256(challenge)) } catch KeyServiceError
                .serverUnavailable
            {
                let seconds = wait(after: attempt)
                guard attempt < configuration.attempts, isFresh(after: seconds) else {
                    throw AttestError.retryLater(seconds: try pause())
                }
                try await clock.sleep(seconds: seconds)
            } catch KeyServiceError.invalidKey {
                throw KeyIsUseless(cause: .keyLost, isInvalid: true)
            } catch let error as KeyServiceError {
                try discardKey()
                // Apple counts keys and attestations, and without a pause each call would make and attest a new key.
                try pause()
                throw AttestError(error)
            }
        }
        throw AttestError.keyLost
    }

    private func submit(_ keyID: String, _ challenge: Data, _ object: Data, mayHaveArrived: Bool) async throws {
        let (answer, wasRepeated) = try await call(
            configuration.attestPath,
            [
                "keyID": keyID, "challenge": challenge.base64EncodedString(),
                "attestation": object.base64EncodedString(),
            ])
        note(answer, for: keyID)
        switch answer.word {
        case nil where (200..<300).contains(answer.status): return
        // No other attestation uses this challenge, so the server has accepted an earlier delivery of this attestation.
        case .consumed: return
        // Either the server accepted an earlier delivery and registered the key, or the challenge has expired. If it
        // has expired, the server will later report the key as unknown, and the client will replace the key.
        case .replay where mayHaveArrived || wasRepeated: return
        case .refused where configuration.answersAreUniform && (mayHaveArrived || wasRepeated): return
        case .replay:
            throw KeyIsUseless(cause: .refused(status: answer.status, word: AttestResponse.Word.replay.rawValue))
        // The answer is a redirect, or comes from a proxy or a failing server. The server may have registered the key.
        case nil where !(400..<500).contains(answer.status): throw AttestError.retryLater(seconds: try pause())
        case let word:
            // After `unknownKey` and `refused` the key is useless, because a key cannot be attested twice. Any other
            // answer may come from a proxy, or may concern only this delivery (a timeout), so keep the key at first.
            if try word != nil || state().failures >= 8 { try discardKey() }
            try pause()
            throw AttestError.refused(status: answer.status, word: answer.cause ?? "")
        }
    }

    // MARK: Pauses

    private static let hour = 3_600.0
    static let week = 604_800.0

    /// Starts a pause. Each further failure doubles its length.
    ///
    /// - Parameter longest: the maximum length in seconds: an hour for temporary failures, or a week if the device
    ///   reports its keys as invalid. Such a device may reject every key until its system or the app is updated.
    @discardableResult private func pause(atMost longest: Double = hour) throws -> Double {
        var state = try state()
        let seconds = min(configuration.firstPause * pow(2, Double(min(state.failures, 16))), longest)
        state.failures += 1
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: false, seconds: seconds)
        keep(state)
        return seconds
    }

    /// Pauses attestation because the server currently admits no new keys. Keeps a key that already exists.
    func pauseEnrolment(seconds: Double) throws {
        var state = try state()
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: true, seconds: seconds)
        keep(state)
    }

    // MARK: State

    /// Throws if the storage fails. Returns an empty state if the stored value cannot be decoded.
    func state() throws -> StoredState {
        if let stored { return stored }
        do {
            let data = try storage.load()
            let state = data.flatMap { try? JSONDecoder().decode(StoredState.self, from: $0) } ?? StoredState()
            stored = state
            return state
        } catch { throw AttestError.storage(error) }
    }

    func save(_ state: StoredState) throws {
        do { try storage.save(JSONEncoder().encode(state)) } catch {
            // The content of the storage is now unknown, so the next call must read the storage again.
            stored = nil
            throw AttestError.storage(error)
        }
        stored = state
    }

    /// Saves the state. This process uses the new state even if saving fails.
    func keep(_ state: StoredState) {
        try? save(state)
        stored = state
    }

    private func save(_ key: StoredKey) throws {
        var state = try state()
        state.key = key
        try save(state)
    }

    private func keep(_ key: StoredKey) {
        guard var state = try? state() else { return }
        state.key = key
        if key.stage == .registered { (state.pause, state.failures) = (nil, 0) }
        keep(state)
    }

    private func discardKey() throws {
        var state = try state()
        state.key = nil
        try save(state)
    }
}
