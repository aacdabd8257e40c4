import Foundation
import PureAttestFoundation
import PureX509
import Testing

/// Code that uses `UnixTime` imports only the verifier's module. A separate module converts it to `Date`.
@Suite struct UnixTimeDateTests {
    @Test func secondsAreThoseInWhichADateLies() {
        for (interval, seconds): (TimeInterval, Int64) in [
            (0, 0), (0.999, 0), (-0.001, -1), (-1, -1), (1_789_473_600.5, 1_789_473_600),
            (-62_135_596_800, -62_135_596_800),
        ] {
            #expect(UnixTime(Date(timeIntervalSince1970: interval)) == UnixTime(secondsSince1970: seconds))
        }
    }

    @Test func datesThatAreNone() {
        for interval in [TimeInterval.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e18] {
            #expect(UnixTime(Date(timeIntervalSince1970: interval)) == nil)
        }
    }

    @Test func thereAndBack() {
        for seconds: Int64 in [0, 1, -1, 1_789_473_600, 253_402_300_799] {
            let time = UnixTime(secondsSince1970: seconds)
            #expect(Date(time).timeIntervalSince1970 == TimeInterval(seconds))
            #expect(UnixTime(Date(time)) == time)
        }
        // No value causes a trap.
        for seconds in [Int64.min, .max] { _ = Date(UnixTime(secondsSince1970: seconds)) }
    }

    @Test func now() throws {
        let before = try #require(UnixTime(Date()))
        let now = UnixTime.now
        #expect(before <= now && now.secondsSince1970 - before.secondsSince1970 < 3_600)
    }
}
