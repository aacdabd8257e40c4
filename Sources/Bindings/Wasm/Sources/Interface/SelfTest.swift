import PureAttest

// Two functions, so that the assertion module contains only the second.

/// Tests known answers of the verifier's building blocks. Returns 0, or the first failed part, counted from 1
/// (`SelfTest.Part`).
@c(pure_attest_self_test)
public func selfTest() -> Int32 {
    part { () throws(SelfTest.Failure) in try SelfTest.run() }
}

#if arch(wasm32)
    /// Tests the parts that assertions use.
    @c(pure_attest_self_test_assertions)
    public func selfTestForAssertions() -> Int32 {
        part { () throws(SelfTest.Failure) in try SelfTest.runForAssertions() }
    }
#endif

/// Returns the number of the part that fails `test`, or 0.
private func part(_ test: () throws(SelfTest.Failure) -> Void) -> Int32 {
    do throws(SelfTest.Failure) {
        try test()
        return 0
    } catch {
        return switch error.part {
        case .generatorTableP256: 1
        case .signatureP256: 2
        case .generatorTableP384: 3
        case .appleCertificates: 4
        case .appleKeyTables: 5
        }
    }
}
