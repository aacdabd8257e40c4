import PureAttest

// Two functions, so that a module for assertions alone has nothing of the other.

/// Tests what verification rests on against known answers: 0, or which part failed first, counted from 1 (`SelfTest.Part`).
@c(pure_attest_self_test)
public func selfTest() -> Int32 {
    part { () throws(SelfTest.Failure) in try SelfTest.run() }
}

#if arch(wasm32)
    /// The parts of it that assertions use.
    @c(pure_attest_self_test_assertions)
    public func selfTestForAssertions() -> Int32 {
        part { () throws(SelfTest.Failure) in try SelfTest.runForAssertions() }
    }
#endif

/// The part that `test` finds wrong.
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
