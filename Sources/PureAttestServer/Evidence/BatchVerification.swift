public import PureAttest
public import PureSignedContent

/// An attestation to verify in a batch.
public struct AttestationToVerify: Sendable {
    /// The object from `attestKey`.
    let attestation: [UInt8]
    /// The key identifier that the client names, 32 bytes.
    let keyID: [UInt8]
    /// The challenge that the client hashed.
    let challenge: [UInt8]
    /// The time at which to check validity.
    let time: UnixTime

    /// Creates an item from the arguments of `AppAttestVerifier.verifyAttestation(_:keyID:challenge:at:)`.
    public init(attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], time: UnixTime) {
        self.attestation = attestation
        self.keyID = keyID
        self.challenge = challenge
        self.time = time
    }
}

/// An assertion to verify in a batch.
public struct AssertionToVerify: Sendable {
    /// The object from `generateAssertion`.
    let assertion: [UInt8]
    /// The challenge that the server issued.
    let challenge: [UInt8]
    /// The form of the signed bytes.
    let signed: SignedContent
    /// The stored key.
    let key: AttestedKey
    /// The current time; needed only if the policy limits the age of keys.
    let time: UnixTime?

    /// Creates an item from the arguments of `AppAttestVerifier.verifyAssertion(_:challenge:signed:key:at:)`.
    public init(
        assertion: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge, key: AttestedKey,
        time: UnixTime? = nil
    ) {
        self.assertion = assertion
        self.challenge = challenge
        self.signed = signed
        self.key = key
        self.time = time
    }
}

extension AppAttestVerifier {
    /// Verifies attestations on all cores, with at most `tasks` concurrent child tasks. With `tasks` below 2, the
    /// calling task verifies them.
    ///
    /// - Returns: one verdict for each attestation, in the order of `attestations`.
    /// - Throws: `CancellationError` if the task is cancelled before the last verdict.
    public func verifyAttestations(
        _ attestations: [AttestationToVerify], tasks: Int = defaultBatchTasks
    ) async throws(CancellationError) -> [Result<VerifiedAttestation, PureAttestError>] {
        try await mapInParallel(attestations, tasks: tasks) { chunk in
            try chunk.map { item in
                try Task.checkCancellation()
                return Result { () throws(PureAttestError) in
                    try verifyAttestation(
                        item.attestation, keyID: item.keyID, challenge: item.challenge, at: item.time)
                }
            }
        }
    }

    /// Verifies assertions on all cores, with at most `tasks` concurrent child tasks. With `tasks` below 2, the calling
    /// task verifies them.
    ///
    /// Each assertion is verified only with the key in its own item. Two assertions by one key may therefore both pass,
    /// even with the same counter. To accept only one of them, store the advanced keys by compare-and-set.
    ///
    /// If the package trait `ProcessorExtensions` is enabled and the x86-64 processor has AVX-512 IFMA, eight
    /// signatures are verified at once, with the same verdicts. The closure of
    /// `SignedContent.clientData(_:challengeBy:)` runs before the signature is verified, so it also runs if the
    /// signature is invalid.
    ///
    /// - Returns: one verdict for each assertion, in the order of `assertions`.
    /// - Throws: `CancellationError` if the task is cancelled before the last verdict.
    public func verifyAssertions(
        _ assertions: [AssertionToVerify], tasks: Int = defaultBatchTasks
    ) async throws(CancellationError) -> [Result<VerifiedAssertion, PureAttestError>] {
        try await mapInParallel(assertions, tasks: tasks) { chunk in
            var batch = AssertionBatch(of: assertionVerifier)
            for item in chunk {
                try Task.checkCancellation()
                batch.append(
                    item.assertion, challenge: item.challenge, signed: item.signed, key: item.key, at: item.time)
            }
            return batch.verified()
        }
    }

    /// The default number of child tasks. It exceeds the number of cores of common servers, so that no core idles, and
    /// is small enough to bound memory. The runtime executes at most one task per core at a time.
    public static var defaultBatchTasks: Int { 64 }
}

/// The number of objects of a chunk: about 1 ms of work without lanes, after which other tasks may run.
private let chunkLength = 16

/// Returns the outcome of each element, in order. Passes chunks to `body`, which returns an outcome for each element.
/// Runs at most `tasks` child tasks at a time, one for each chunk. If one task would do, no child task runs.
private func mapInParallel<Element: Sendable, Outcome: Sendable>(
    _ elements: [Element], tasks: Int,
    _ body: @escaping @Sendable (ArraySlice<Element>) throws -> [Outcome]
) async throws(CancellationError) -> [Outcome] {
    let chunks = stride(from: 0, to: elements.count, by: chunkLength).map { start in
        elements[start..<min(start + chunkLength, elements.count)]
    }
    do {
        // A single child task would only add a change of threads for each chunk.
        guard tasks > 1, chunks.count > 1 else {
            var outcomes: [Outcome] = []
            for chunk in chunks {
                outcomes += try body(chunk)
                await Task.yield()
            }
            try Task.checkCancellation()
            return outcomes
        }
        return try await withThrowingTaskGroup(of: (number: Int, outcomes: [Outcome]).self) { group in
            var outcomes = [[Outcome]](repeating: [], count: chunks.count)
            for number in chunks.indices {
                if number >= tasks, let finished = try await group.next() {
                    outcomes[finished.number] = finished.outcomes
                }
                try Task.checkCancellation()
                group.addTask { (number, try body(chunks[number])) }
            }
            for try await finished in group { outcomes[finished.number] = finished.outcomes }
            try Task.checkCancellation()
            return outcomes.flatMap(\.self)
        }
    } catch {
        // `body` throws only `CancellationError`.
        throw CancellationError()
    }
}
