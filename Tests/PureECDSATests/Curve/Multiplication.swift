@testable import PureECDSA
import VectorSupport

/// Returns kG, or kQ if a point is given. Uses the double-scalar multiplication of verification, with 0 as the second
/// scalar. k may be n or more. Returns x and y in the form that ``CAVPSuites`` expects: both are zero at infinity.
func multiply(
    _ scalar: [UInt8], _ point: (x: [UInt8], y: [UInt8])?, _ curve: VectorCurve
) -> (x: [UInt8], y: [UInt8]) {
    switch curve {
    case .p256: multiply(P256Curve.self, scalar, point)
    case .p384: multiply(P384Curve.self, scalar, point)
    }
}

func agree(_ scalar: [UInt8], _ publicKey: VectorKey, _ curve: VectorCurve) -> [UInt8]? {
    let point = publicKey.bytes(as: .raw)
    return multiply(
        scalar, (x: Array(point.prefix(curve.byteCount)), y: Array(point.suffix(curve.byteCount))), curve
    ).x
}

private func multiply<Curve: PrimeCurve>(
    _: Curve.Type, _ scalar: [UInt8], _ point: (x: [UInt8], y: [UInt8])?
) -> (x: [UInt8], y: [UInt8]) {
    let k = Curve.Scalar(digest: scalar)
    let zero = Curve.Scalar(unchecked: .zero)
    let product: JacobianPoint<Curve>
    if let point {
        guard let q = try? AffinePoint<Curve>(raw: (point.x + point.y)[...]) else { preconditionFailure("no point") }
        product = Curve.doubleMultiplyVarTime(zero, k, q)
    } else {
        product = Curve.doubleMultiplyVarTime(k, zero, Curve.generator)
    }
    let byteCount = Curve.Field.byteCount
    let raw = product.affineVarTime()?.raw ?? [UInt8](repeating: 0, count: 2 * byteCount)
    return (Array(raw.prefix(byteCount)), Array(raw.suffix(byteCount)))
}
