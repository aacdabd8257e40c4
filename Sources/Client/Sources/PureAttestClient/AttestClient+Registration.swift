import Foundation

/// A key that can't be attested any more; another one may.
private struct KeyIsUseless: Error {
    let cause: AttestError
    /// The device says so, and may say so of every key.
    var isInvalid = false
}

extension AttestClient {
    /// The key that the server knows; makes, attests and registers one if there is none. Once for each installation: every other call
    /// returns at once. There is no need to call it, but a good moment (``session()`` and ``sendSigned(_:)`` do it when they have to).
    public func register() async throws -> String {
        if let registration { return try await registration.value }
        if let key = try state().key, key.stage == .registered { return key.keyID }
        guard keyService.isSupported else { throw AttestError.unsupported }
        // Not part of the caller's task: a view that goes away cancels nobody else's.
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
            // If more is left than the pause lasts, the clock was set back.
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

    /// Each stage is saved before the next begins, so that a process which ends anywhere goes on from there.
    private func takeKeyThroughItsStages() async throws -> String {
        var key: StoredKey
        if let known = try state().key {
            key = known
        } else {
            // A storage that takes nothing would cost a key at each call.
            try save(state())
            do { key = StoredKey(keyID: try await keyService.generateKey(), stage: .made) } catch let error
                as KeyServiceError
            { throw AttestError(error) }
            try save(key)
        }
        if key.stage == .made {
            key.stage = .attesting(challenge: try await requestChallenge("attestation", key.keyID), since: clock.now)
            // Before the key meets the challenge: it must never meet another.
            try save(key)
        }
        var mayHaveArrived = true
        if case .attesting(let challenge, let since) = key.stage {
            key.stage = .attested(challenge: challenge, object: try await attest(key.keyID, challenge, since: since))
            mayHaveArrived = false
            // Without it a process that ends now needs a new key; nothing worse.
            keep(key)
        }
        if case .attested(let challenge, let object) = key.stage {
            try await submit(key.keyID, challenge, object, mayHaveArrived: mayHaveArrived)
            key.stage = .registered
            keep(key)
        }
        return key.keyID
    }

    /// Apple: after `serverUnavailable` again with the same key and the same hash, which keeps the device's risk metric; after any other
    /// error with another key. A challenge that has expired is of no use to the server, so that its key is given up too.
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
                // Each further call would make a key and have it attested: Apple counts both.
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
        // Only this attestation answers its challenge: an earlier delivery arrived.
        case .consumed: return
        // It arrived before, or its challenge has expired. In the first case the key is registered; in the other the server will
        // say that it does not know it, and it is replaced.
        case .replay where mayHaveArrived || wasRepeated: return
        case .refused where configuration.answersAreUniform && (mayHaveArrived || wasRepeated): return
        case .replay:
            throw KeyIsUseless(cause: .refused(status: answer.status, word: AttestResponse.Word.replay.rawValue))
        // A proxy or a redirect, or a server that fails: no judgement of the key, which may have arrived.
        case nil where !(400..<500).contains(answer.status): throw AttestError.retryLater(seconds: try pause())
        case let word:
            // An attested key can't be attested again: whatever is wrong with it stays wrong.
            try discardKey()
            try pause()
            throw AttestError.refused(status: answer.status, word: word?.rawValue ?? "")
        }
    }

    // MARK: Pauses

    private static let hour = 3_600.0
    static let week = 604_800.0

    /// Nothing is attested for a while, at each failure for twice as long.
    ///
    /// - Parameter longest: an hour for failures that pass. A device whose keys are all invalid stays so until its system or the app is
    ///   updated: a week.
    @discardableResult private func pause(atMost longest: Double = hour) throws -> Double {
        var state = try state()
        let seconds = min(configuration.firstPause * pow(2, Double(min(state.failures, 16))), longest)
        state.failures += 1
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: false, seconds: seconds)
        keep(state)
        return seconds
    }

    /// The server has no place for a new key. The one that was made waits with it.
    func pauseEnrolment(seconds: Double) throws {
        var state = try state()
        state.pause = StoredState.Pause(
            until: clock.now.addingTimeInterval(seconds), isEnrolment: true, seconds: seconds)
        keep(state)
    }

    // MARK: State

    /// What is known. A value that can't be read as one is none; a storage that fails says nothing.
    func state() throws -> StoredState {
        if let stored { return stored }
        do {
            let data = try storage.load()
            let state = data.flatMap { try? JSONDecoder().decode(StoredState.self, from: $0) } ?? StoredState()
            stored = state
            return state
        } catch { throw AttestError.storage(error) }
    }

    /// Saves, or changes nothing.
    func save(_ state: StoredState) throws {
        do { try storage.save(JSONEncoder().encode(state)) } catch {
            // What is in the storage now is read again.
            stored = nil
            throw AttestError.storage(error)
        }
        stored = state
    }

    /// Saves if the storage works; for this process it is so anyway.
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
