import Foundation
import PureJSON
import PureJWS

@testable import PureAppStoreTesting
@testable import PureX509

/// Fuzzes JSON, and the JSON Web Keys that it may contain. Foundation must accept the JSON if PureJSON does, and read
/// the same strings.
let jsonTarget = Target(name: "json", form: .members) { bytes in
    _ = try? JSONWebKeySet(decoding: bytes)
    guard let value = try? JSONValue(decoding: bytes) else { return }
    _ = try? JSONWebKey(value)
    // Foundation rejects numbers beyond the range of Double.
    guard !hasLargeNumber(value) else { return }
    let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    require(agree(value, other), "another reader finds something else: \(String(describing: other))")
} seeds: {
    [
        AppStoreContent.transaction(
            bundleID: "a", signedDate: 1, more: #","x":[{},[true,false,null],"\u00e9\n\ud83d\ude00"]"#),
        Array(#"{"keys":[{"kty":"EC","crv":"P-256","x":"\#(coordinate)","y":"\#(coordinate)","kid":"1"}]}"#.utf8),
        Array(#"[0,-0,1.5e-7,9007199254740993,-9223372036854775808,{"a":[[[["deep"]]]]}]"#.utf8),
    ]
}

private let coordinate = String(repeating: "A", count: 43)

private func hasLargeNumber(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): object.members.contains { hasLargeNumber($0.value) }
    case .array(let values): values.contains(where: hasLargeNumber)
    case .number(let number):
        number.literal.count > 300 || number.literal.contains { $0 | 0x20 == UInt8(ascii: "e") }
    default: false
    }
}

/// Compares all values except numbers, because the two parsers accept different ranges of numbers.
private func agree(_ value: JSONValue, _ other: Any?) -> Bool {
    switch value {
    case .object(let object):
        require(Set(object.members.map { [UInt8]($0.name) }).count == object.members.count, "a name twice")
        guard let other = other as? [String: Any], other.count <= object.members.count else { return false }
        // Canonically equivalent names are one key of a Swift dictionary, so the dictionary may have fewer members.
        return object.members.allSatisfy { member in
            other.count < object.members.count
                || agree(member.value, other[String(decoding: member.name, as: UTF8.self)])
        }
    case .array(let values):
        guard let other = other as? [Any], other.count == values.count else { return false }
        return zip(values, other).allSatisfy { agree($0, $1) }
    case .string(let text): return (other as? String).map { $0.utf8.elementsEqual(text) } ?? false
    case .bool(let value): return other as? Bool == value
    case .null: return other is NSNull
    case .number: return other is NSNumber
    }
}

/// Fuzzes a JWS, without signing it. The verifier must reject the JWS unless its payload is genuine.
let jwsTarget = Target(name: "jws", form: .bytes) { bytes in
    guard let jws = try? JSONWebSignature(compactSerialization: bytes),
        let verified = try? jws.verify(.es256, trustAnchors: [testAnchor], at: World.time)
    else { return }
    require(genuinePayloads.contains(verified.payload), "a forged payload")
} seeds: {
    [testAppStore.sign(genuinePayloads[0]), testAppStore.sign(genuinePayloads[1])]
        + SignedDataFault.allCases.map { testAppStore.sign(genuinePayloads[1], fault: $0) }
}

private let testAppStore = TestAppStore(seed: 1)
private let testAnchor = try! TrustAnchor(Certificate(derEncoded: testAppStore.root))
/// The signed payloads. Some faults change the payload before it is signed, so the list includes each fault's payload.
private let genuinePayloads: [[UInt8]] =
    [
        Array("{}".utf8),
        AppStoreContent.transaction(bundleID: "com.example.fuzz", signedDate: World.time.secondsSince1970 * 1_000),
    ]
    + SignedDataFault.allCases.map { fault in
        var draft = testAppStore.draft(
            AppStoreContent.transaction(bundleID: "com.example.fuzz", signedDate: World.time.secondsSince1970 * 1_000))
        fault.apply(to: &draft)
        return draft.payload
    }
