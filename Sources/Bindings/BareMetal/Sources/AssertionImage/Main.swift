import AssertionCheck
import Runtime

/// Verifies the assertion that is loaded beside the image, and writes the result.
@c(image_main)
public func imageMain() {
    var objects = LoadedObjects()
    verifyAssertion(&objects)
    Stack.report()
}
