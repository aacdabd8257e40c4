import PureAttest
import Runtime

/// Runs the known-answer tests of the verifier's building blocks, and writes the result or the part that failed. A
/// device that verifies objects should call `SelfTest.run()` once at start. The linker drops the self-test from images
/// that do not call it.
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
