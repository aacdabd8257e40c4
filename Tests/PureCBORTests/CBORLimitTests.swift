import Foundation
import PureBytes
import Testing

@testable import PureCBOR

/// Work, memory and stack stay within the limits, whatever the input declares (for example CVE-2020-28491,
/// CVE-2024-26134, CVE-2019-25001, CVE-2024-21909).
@Suite struct CBORLimitTests {
    /// For every major type with a length, the test declares lengths of 255 … 2⁶⁴ − 1. The length is rejected before
    /// the first item is read, because this item is ill-formed and would cause a different error.
    @Test func lengthBombs() {
        for majorType in [0x40, 0x60, 0x80, 0xa0] as [UInt8] {
            for length in [
                [0x18, 0xff], [0x19, 0xff, 0xff], [0x1a, 0x7f, 0xff, 0xff, 0xff], [0x1a, 0xff, 0xff, 0xff, 0xff],
                [0x1b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0],
                [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            ] as [[UInt8]] {
                let bomb = [majorType | length[0]] + length.dropFirst() + [0x1c, 0x1c]
                #expect(throws: CBORError.unexpectedEnd) { try CBORValue(decoding: bomb) }
            }
        }
    }

    /// A map of n pairs is at least 2n bytes long. A shorter input is rejected before its first pair is read, even if
    /// the pair is ill-formed.
    @Test func mapCountsPairs() {
        #expect(throws: CBORError.unexpectedEnd) { try CBORValue(decoding: [0xa2, 0x01, 0x01, 0x02]) }
        #expect(throws: CBORError.unexpectedEnd) { try CBORValue(decoding: [0xa2, 0x1c, 0x01, 0x02]) }
        #expect(throws: CBORError.reservedAdditionalInformation(28)) {
            try CBORValue(decoding: [0xa2, 0x1c, 0x01, 0x02, 0x03])
        }
    }

    @Test(arguments: [[0x81], [0xa1, 0x00], [0xc1], [0x9f], [0xbf, 0x00]] as [[UInt8]])
    func nestingOnASmallStack(_ level: [UInt8]) throws {
        let result = onSmallStack {
            let deep = [[UInt8]](repeating: level, count: 5000).flatMap(\.self) + [0x00]
            let limits = CBORLimits(maximumDepth: .max, maximumItems: .max, maximumSize: .max)
            do {
                _ = try CBORValue(decoding: deep, limits: limits, options: .allowIndefiniteLengths)
                return false
            } catch { return error as? CBORError == .depthLimitExceeded }
        }
        #expect(result)
        let accepted = onSmallStack {
            let deep = [[UInt8]](repeating: level, count: CBORLimits.deepestSupported).flatMap(\.self) + [0x00]
            let ends = level[0] & 0x1f == 0x1f ? [UInt8](repeating: 0xff, count: CBORLimits.deepestSupported) : []
            let limits = CBORLimits(maximumDepth: .max, maximumItems: .max, maximumSize: .max)
            let value = try? CBORValue(decoding: deep + ends, limits: limits, options: .allowIndefiniteLengths)
            return value != nil && value == value
        }
        #expect(accepted)
    }

    @Test func exactLimits() throws {
        func limits(depth: Int = 16, items: Int = 100, size: Int = 100) -> CBORLimits {
            CBORLimits(maximumDepth: depth, maximumItems: items, maximumSize: size)
        }
        let bytes: [UInt8] = [0x82, 0x81, 0x01, 0xa1, 0x02, 0x03]  // 6 items, depth 2
        #expect(throws: Never.self) { try CBORValue(decoding: bytes, limits: limits(depth: 2, items: 6, size: 6)) }
        #expect(throws: CBORError.depthLimitExceeded) { try CBORValue(decoding: bytes, limits: limits(depth: 1)) }
        #expect(throws: CBORError.itemLimitExceeded) { try CBORValue(decoding: bytes, limits: limits(items: 5)) }
        #expect(throws: CBORError.sizeLimitExceeded) { try CBORValue(decoding: bytes, limits: limits(size: 5)) }
        #expect(throws: CBORError.sizeLimitExceeded) { try CBORReader(bytes[...], limits: limits(size: 5)) }
        #expect(throws: Never.self) { try CBORValue(decoding: [0x01], limits: limits(depth: 0)) }
        // Chunks of strings also count as items.
        #expect(throws: CBORError.itemLimitExceeded) {
            let chunked: [UInt8] = [0x5f, 0x40, 0x40, 0xff]
            return try CBORValue(decoding: chunked, limits: limits(items: 2), options: .allowIndefiniteLengths)
        }
    }

    /// The search for duplicate keys must not take quadratic time. The keys are in a mixed or an ascending order.
    @Test func hundredThousandEntries() throws {
        let limits = CBORLimits(maximumDepth: 4, maximumItems: .max, maximumSize: .max)
        func encoded(_ count: UInt32, key: (UInt32) -> UInt32) -> [UInt8] {
            var bytes: [UInt8] = [0xba] + bigEndian(count)
            for index in 0..<count { bytes += [0x1a] + bigEndian(1 << 20 | key(index)) + [0x00] }
            return bytes
        }
        let count: UInt32 = 100_000
        let clock = ContinuousClock()
        var map: CBORMap?
        let elapsed = try clock.measure {
            map = try CBORValue(decoding: encoded(count) { $0 * 40_009 % count }, limits: limits).map
        }
        #expect(map?.count == 100_000)
        #expect(map?[.unsignedInteger(1 << 20 | 99_999)] == .unsignedInteger(0))
        // A duplicate check with quadratic time would take minutes.
        #expect(elapsed < .seconds(20))
        #expect(throws: CBORError.duplicateMapKey) {
            try CBORValue(decoding: encoded(count) { $0 == count - 1 ? 0 : $0 }, limits: limits)
        }
        #expect(throws: CBORError.itemLimitExceeded) { try CBORValue(decoding: encoded(count) { $0 }) }
    }

    /// The keys are maps whose keys are maps, on several levels. If the decoder sorted the keys again at each level,
    /// decoding would take quadratic time.
    @Test func nestedMapsAsKeys() throws {
        func key(_ depth: Int, _ leaf: UInt8) -> [UInt8] {
            depth == 0 ? [leaf] : [0xa2] + key(depth - 1, 1) + [0x00] + key(depth - 1, leaf + 1) + [0x00]
        }
        let limits = CBORLimits(maximumDepth: 20, maximumItems: .max, maximumSize: .max)
        let bytes = [0xa2] + key(12, 1) + [0x00] + key(12, 2) + [0x00]
        let elapsed = try ContinuousClock().measure { _ = try CBORValue(decoding: bytes, limits: limits) }
        #expect(elapsed < .seconds(20))
    }

    private func onSmallStack(_ body: @escaping @Sendable () -> Bool) -> Bool {
        final class Box: @unchecked Sendable { var result = false }
        let box = Box()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            box.result = body()
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        return box.result
    }
}
