import PureAttest
import Testing

/// The self-test of a build. That it notices a wrong constant is tested on a damaged program (`DamagedBuildTests`).
@Suite struct SelfTestTests {
    @Test func everyPartIsRight() throws {
        try SelfTest.runForAssertions()
        try SelfTest.run()
    }
}
