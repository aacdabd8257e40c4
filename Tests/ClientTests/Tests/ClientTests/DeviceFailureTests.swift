import Foundation
import PureAttestClient
import PureSHA2
import Testing

func hash(_ data: Data) -> Data { Data([UInt8](SHA256.hash(data: data))) }

func isRetryLater(_ error: any Error, _ seconds: ClosedRange<Double>) -> Bool {
    if case .retryLater(let after) = error as? AttestError { seconds.contains(after) } else { false }
}

func isRejection(_ error: any Error, _ status: Int, _ word: String) -> Bool {
    if case .refused(status, word) = error as? AttestError { true } else { false }
}

@Suite struct DeviceFailureTests {
    @Test func whileAppleIsOutOfReachTheSameKeyAndHashAreTriedAgain() async throws {
        let setting = try Setting()
        setting.device.state.change { $0.attestFailures = [.serverUnavailable, .serverUnavailable, nil] }
        let keyID = try await setting.client().register()
        let attested = setting.device.state.value.attested
        #expect(attested.map(\.keyID) == [keyID, keyID, keyID] && setting.device.noKeyMetTwoHashes)
        let slept = setting.clock.slept.value
        #expect(slept.count == 2 && (0.5...1).contains(slept[0]) && (1...2).contains(slept[1]))
    }

    @Test func anOutageOfApplesPausesAcrossLaunches() async throws {
        let setting = try Setting()
        setting.device.state.change { $0.attestFailures = Array(repeating: .serverUnavailable, count: 8) }
        await #expect { try await setting.client().register() } throws: { isRetryLater($0, 30...30) }
        #expect(setting.device.state.value.attested.count == 4)
        // No call contacts Apple before the pause ends.
        await #expect { try await setting.client().session() } throws: { isRetryLater($0, 29...30) }
        #expect(setting.device.state.value.attested.count == 4)
        // After the pause, the client uses the same key and hash while the challenge is valid. Apple's service fails
        // again, which doubles the pause.
        setting.clock.time.change { $0 += 31 }
        await #expect { try await setting.client().register() } throws: { isRetryLater($0, 60...60) }
        #expect(setting.device.state.value.attested.count > 4 && setting.device.state.value.keys.count == 1)
        // The challenge has expired, so neither its hash nor the key that was attested with this hash can be used.
        setting.clock.time.change { $0 += 61 }
        setting.device.state.change { $0.attestFailures = [] }
        let keyID = try await setting.client().register()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.state.value.keys.last == keyID)
        #expect(setting.device.noKeyMetTwoHashes)
        #expect(try await setting.client().session().keyID == keyID)
    }

    /// If more time remains than the whole pause lasts, the clock was set back, and the client ignores the pause.
    @Test(arguments: [7_200.0, 1_000_000]) func aClockThatWasSetBackEndsAPause(by seconds: Double) async throws {
        let setting = try Setting()
        setting.device.state.change { $0.attestFailures = Array(repeating: .serverUnavailable, count: 4) }
        await #expect(throws: AttestError.self) { try await setting.client().register() }
        setting.clock.time.change { $0 -= seconds }
        _ = try await setting.client().register()
    }

    @Test func aKeyThatIsInvalidWhenItIsAttestedIsReplacedOnce() async throws {
        let setting = try Setting()
        setting.device.state.change { $0.attestFailures = [.invalidKey, nil] }
        _ = try await setting.client().session()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.noKeyMetTwoHashes)

        let hopeless = try Setting()
        hopeless.device.state.change { $0.attestFailures = Array(repeating: .invalidKey, count: 100) }
        await #expect(throws: AttestError.self) { try await hopeless.client().session() }
        #expect(hopeless.device.state.value.keys.count == 2)
        await #expect { try await hopeless.client().session() } throws: { isRetryLater($0, 29...30) }
        #expect(hopeless.device.state.value.keys.count == 2)
    }

    /// The client does not generate a new key at once, because Apple counts keys and attestations.
    @Test(arguments: [KeyServiceError.unknownSystemFailure, .invalidInput])
    func afterAnyOtherErrorTheKeyIsGivenUp(error: KeyServiceError) async throws {
        let setting = try Setting()
        setting.device.state.change { $0.attestFailures = [error] }
        let client = setting.client()
        await #expect {
            try await client.register()
        } throws: {
            if case .keyService(error) = $0 as? AttestError { true } else { false }
        }
        await #expect { try await client.register() } throws: { isRetryLater($0, 29...30) }
        #expect(setting.device.state.value.keys.count == 1)
        setting.clock.time.change { $0 += 31 }
        _ = try await client.register()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.noKeyMetTwoHashes)
    }

    @Test func aDeviceThatSaysSoLateIsUnsupportedToo() async throws {
        for isAttested in [false, true] {
            let setting = try Setting()
            let client = setting.client()
            if isAttested { _ = try await client.register() }
            setting.device.state.change {
                ($0.attestFailures, $0.assertFailures) = ([.featureUnsupported], [.featureUnsupported])
            }
            await #expect {
                try await client.session()
            } throws: {
                if case .unsupported = $0 as? AttestError { true } else { false }
            }
        }
    }

    /// Keychain items survive a reinstallation and a restored backup, but the App Attest key does not.
    @Test func aKeyThatTheDeviceLostIsReplacedOnce() async throws {
        let setting = try Setting()
        let lost = try await setting.client().register()
        let restored = Device()
        let client = setting.client(on: restored)
        let keyID = try await client.session().keyID
        #expect(keyID != lost && restored.state.value.keys == [keyID] && restored.state.value.attested.count == 1)
        // The client has just replaced a key. It does not replace the new key yet, even if the device rejects the key.
        restored.state.change { $0.assertFailures = Array(repeating: .invalidKey, count: 100) }
        for _ in 0..<3 {
            await #expect {
                try await client.sendSigned(AttestRequest("POST", "/signed"))
            } throws: {
                if case .keyLost = $0 as? AttestError { true } else { false }
            }
        }
        #expect(restored.state.value.keys.count == 1)
    }

    @Test func anAssertionIsTriedAgainAndOtherErrorsKeepTheKey() async throws {
        let setting = try Setting()
        setting.device.state.change { $0.assertFailures = [.serverUnavailable, nil, .unknownSystemFailure] }
        let client = setting.client()
        let keyID = try await client.session().keyID
        await #expect(throws: AttestError.self) { try await client.sendSigned(AttestRequest("POST", "/signed")) }
        #expect(try await client.sendSigned(AttestRequest("POST", "/signed")).status == 200)
        #expect(setting.device.state.value.keys == [keyID])
    }

    @Test func aDeviceWithoutAppAttestHasTheUnattestedTier() async throws {
        let setting = try Setting()
        setting.device.state.change { $0.isSupported = false }
        let client = setting.client()
        #expect(!client.isSupported)
        await #expect {
            try await client.session()
        } throws: {
            if case .unsupported = $0 as? AttestError { true } else { false }
        }
        let token = try await client.unattestedSession().token
        let request = AttestRequest("GET", "/open", headers: ["Authorization": "Bearer \(token)"])
        #expect(try await setting.way.send(request).status == 200)
        #expect(setting.device.state.value.keys.isEmpty)
    }
}
