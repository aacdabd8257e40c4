import PureDER

@testable import PureAttestTesting
@testable import PureKeyAttestation

/// A key description, which a device signed: whatever it holds, each policy gives a verdict, and the standard one accepts no more than
/// the weaker one.
let keyDescriptionTarget = Target(name: "key-description", form: .der) { bytes in
    guard let description = try? KeyDescription(decoding: bytes) else { return }
    for list in [description.softwareEnforced, description.hardwareEnforced] {
        require(list.unknownTags.count <= AuthorizationList.maximumMemberCount, "more members than are read")
    }
    let weak = KeyAttestationPolicy(
        minimumSecurityLevel: .software, requiresLockedDevice: false, acceptsAnyBootState: true,
        acceptsImportedKeys: true,
        maximumPatchAge: nil)
    let strong = KeyAttestationPolicy(minimumOSVersion: 1, minimumPatchLevel: 202_001, maximumCertificatesIssued: 1)
    for policy in [KeyAttestationPolicy.standard, strong] where accepts(policy, description) {
        require(accepts(weak, description), "a weaker policy refuses")
        require(description.hardwareEnforced.rootOfTrust?.isDeviceLocked == true, "an unlocked device")
        require(description.hardwareEnforced.origin == .generated, "a key from elsewhere")
    }
} seeds: {
    let root = der(.sequence, der(.octetString, [1]), derTrue, [0x0A, 1, 0], der(.octetString, [2]))
    let app = der(
        .sequence, der(.set, der(.sequence, der(.octetString, [0x61]), der(1))), der(.set, der(.octetString, [7])))
    let software = der(.sequence, der(.context(701), der(7)), der(.context(709), der(.octetString, app)))
    let hardware = der(
        .sequence, der(.context(1), der(.set, der(2))), der(.context(2), der(3)), der(.context(3), der(256)),
        der(.context(503), derNull), der(.context(702), der(0)), der(.context(704), root),
        der(.context(705), der(160_000)),
        der(.context(706), der(202_605)), der(.context(718), der(20_260_505)), der(.context(719), der(20_260_505)))
    let start = der(300) + [0x0A, 1, 1] + der(300) + [0x0A, 1, 1] + der(.octetString, [9]) + der(.octetString)
    return [der(.sequence, start, software, hardware), der(.sequence, start, hardware, software)]
}

private func accepts(_ policy: KeyAttestationPolicy, _ description: KeyDescription) -> Bool {
    do throws(KeyAttestationError) {
        try policy.checkSecurityLevel(description)
        try policy.checkBoot(description)
        try policy.checkKey(description)
        try policy.checkSystem(description, at: World.time)
        return true
    } catch {
        return false
    }
}

/// Google's list: a serial number is found or not, whatever was read.
let statusListTarget = Target(name: "status-list", form: .bytes) { bytes in
    guard let list = try? RevocationStatusList(json: bytes) else { return }
    require(list.count <= bytes.count / 20, "more entries than fit")
    let status = list.status(ofSerialNumber: bytes.suffix(20))
    require(list.count > 0 || status == nil, "an entry of an empty list")
} seeds: {
    [
        Array(#"{"entries":{"1f":{"status":"REVOKED","reason":"KEY_COMPROMISE"},"2":{"status":"SUSPENDED"}}}"#.utf8),
        Array(#"{ "a": [1, -2.5e3, "\u00e9", null, true, {}], "entries": {} }"#.utf8),
    ]
}

/// A stored key of Android: each value has one encoding.
let androidKeyTarget = Target(name: "android-key", form: .bytes) { bytes in
    guard let key = try? AttestedAndroidKey(serialized: bytes) else { return }
    require(key.serialized.elementsEqual(bytes), "two encodings of one key")
    require(!key.publicKey.isValidSignature(bytes, for: World.clientData), "a signature of nobody's")
} seeds: {
    let head: [UInt8] = [1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x61]
    let rsa: [UInt8] = [3, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0x80] + [UInt8](repeating: 1, count: 255)
    return [head + [1] + World.issuerKey(3).x963, head + rsa]
}
