import RSATestKeys
import ReferenceModel
import DebugSampling
import Testing

/// The Chinese remainder theorem gives the same signatures as the private exponent.
struct TestKeyTests {
    @Test(arguments: debugSample(TestKey.all, every: 4, of: "keys"))
    func powerIsTheNumberToThePrivateExponent(_ key: TestKey) {
        for number in [0, 1, 2, key.p, key.q, key.p - 1, key.n - 1, key.n, key.n + 1] {
            #expect(key.power(number.bigEndianBytes) == number.power(key.d, modulo: key.n))
        }
    }
}
