import AssertionCheck
import Runtime

/// Verifies the assertion that is loaded beside the image, and writes the result.
@c(image_main)
public func imageMain() {
    var objects = LoadedObjects()
    verifyAssertion(&objects)
    write("peak stack ")
    write(Stack.peak)
    write(" bytes, heap ")
    write(Stack.heap)
    write(" bytes\n")
}
