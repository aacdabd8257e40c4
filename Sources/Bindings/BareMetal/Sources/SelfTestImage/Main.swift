import PureAttest
import Runtime

/// Tests known answers of the verifier's building blocks, and writes the failed part or that all passed.
///
/// A verifying device calls `SelfTest.run()` itself, once at start; the linker drops it from other images.
@c(image_main)
public func imageMain() {
    do throws(SelfTest.Failure) {
        try SelfTest.run()
        write("self-test passed\n")
    } catch {
        write("self-test failed: ")
        write(name(of: error.part))
        write("\n")
    }
    Stack.report()
}

private func name(of part: SelfTest.Part) -> StaticString {
    switch part {
    case .generatorTableP256: "generatorTableP256"
    case .signatureP256: "signatureP256"
    case .generatorTableP384: "generatorTableP384"
    case .appleCertificates: "appleCertificates"
    case .appleKeyTables: "appleKeyTables"
    }
}
