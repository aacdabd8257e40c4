import Foundation

/// A key that cannot be attested; another may succeed.
private struct KeyIsUseless: Error {
    let cause: AttestError
    /// The device reports the key as invalid, and may report so for every key.
    var isInvalid = false
}

extension AttestClient {
    /// Returns the registered key; if there is none, makes, attests and registers one, once for each installation.
    ///
    /// Calling it is optional, at a convenient moment: ``session()`` and ``sendSigned(_:)`` call it when needed.
    public func register() async throws -> String {
        if let registration { return try await registration.value }
        if let key = try state().key, key.stage == .registered { return key.keyID }
        guard keyService.isSupported else { throw AttestError.unsupported }
        // A separate task, because cancelling one caller must not cancel others.
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
            // If more time is left than the pause lasts, the clock was set back.
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

    /// Registers a key. Saves each stage before the next begins, so that a restarted process resumes there.
    private func takeKeyThroughItsStages() async throws -> String {
        var key: StoredKey
        if let known = try state().key {
            key = known
        } else {
            // Fail before making a key: a storage that does not save would cost a key at each call.
            try save(state())
            do { key = StoredKey(keyID: try await keyService.generateKey(), stage: .made) } catch let error
                as KeyServiceError
            { throw AttestError(error) }
            try save(key)
        }
        if key.stage == .made {
            key.stage = .attesting(challenge: try await requestChallenge("attestation", key.keyID), since: clock.now)
            // Save before the key is attested with the challenge: it must never be attested with another.
            try save(key)
        }
        var mayHaveArrived = true
        if case .attesting(let challenge, let since) = key.stage {
            key.stage = .attested(challenge: challenge, object: try await attest(key.keyID, challenge, since: since))
            mayHaveArrived = false
            // If this save fails and the process ends now, the next process only needs a new key.
            keep(key)
        }
        if case .attested(let challenge, let object) = key.stage {
            try await submit(key.keyID, challenge, object, mayHaveArrived: mayHaveArrived)
            key.stage = .registered
            keep(key)
        }
        return key.keyID
    }

    /// Attests a key. As Apple advises, retries after `serverUnavailable` with the same key and hash, which preserves
    /// the device's risk metric, and uses another key after any other error. Also gives up a key whose challenge
    /// expired, because the server rejects that challenge.
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
                // Without a pause, each further call would make and attest a key, and Apple counts both.
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
        // Only this attestation answers its challenge, so an earlier delivery arrived.
        case .consumed: return
        // An earlier delivery arrived, and the key is registered; or the challenge has expired. In that case the server
        // will report the key as unknown, and the client replaces it.
        case .replay where mayHaveArrived || wasRepeated: return
        case .refused where configuration.answersAreUniform && (mayHaveArrived || wasRepeated): return
        case .replay:
            throw KeyIsUseless(cause: .refused(status: answer.status, word: AttestResponse.Word.replay.rawValue))
        // The answer comes from a proxy, a redirect or a failing server: the key may have arrived.
        case nil where !(400..<500).contains(answer.status): throw AttestError.retryLater(seconds: try pause())
        case let word:
            // A key can be attested only once, so any fault of it is permanent.
            try discardKey()
            try pause()
            throw AttestError.refused(status: answer.status, word: word?.rawValue ?? "")
        }
    }

    // MARK: Pauses

    private static let hour = 3_600.0
    static let week = 604_800.0

    /// Pauses attestation, for twice as long after each failure.
    ///
    /// - Parameter longest: an hour for temporary failures; a week if all keys of the device are invalid, which lasts
    ///   until an update of its system or the app.
    @discardableResult private func pause(atMost longest: Double = hour) throws -> Double {
        var state = try state()
        let seconds = min(configuration.firstPause * pow(2, Double(min(state.failures, 16))), longest)
        state.failures += 1
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: false, seconds: seconds)
        keep(state)
        return seconds
    }

    /// Pauses because the server admits no new key; the new key, if any, is kept.
    func pauseEnrolment(seconds: Double) throws {
        var state = try state()
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: true, seconds: seconds)
        keep(state)
    }

    // MARK: State

    /// Returns the stored state. Treats a value that cannot be decoded as empty; throws if the storage fails.
    func state() throws -> StoredState {
        if let stored { return stored }
        do {
            let data = try storage.load()
            let state = data.flatMap { try? JSONDecoder().decode(StoredState.self, from: $0) } ?? StoredState()
            stored = state
            return state
        } catch { throw AttestError.storage(error) }
    }

    /// Saves the state, or changes nothing.
    func save(_ state: StoredState) throws {
        do { try storage.save(JSONEncoder().encode(state)) } catch {
            // The storage's content is unknown: read it again.
            stored = nil
            throw AttestError.storage(error)
        }
        stored = state
    }

    /// Saves if the storage works; this process uses the state in any case.
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
