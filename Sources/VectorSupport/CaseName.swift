import PureAttest
import PureDER
import PureX509Paths

/// Returns the name of an enum case, independent of the enum's `description`; `nil` for any other value.
package func caseName<Value>(of value: Value) -> String? {
    guard let name = unsafe enumCaseName(value) else { return nil }
    return unsafe String(cString: name)
}

/// Returns the text that Swift prints by default for an enum case with its associated values. Corpora identify errors
/// by this text. The text omits times, and the names of modules and types before the case name.
func caseText(of error: any Error) -> String {
    text(of: error).replacing(/Pure[A-Za-z0-9]+\.([A-Za-z0-9]+\.)?/, with: "")
}

extension Error {
    /// The certificate error that a path or attestation error wraps; otherwise the error itself.
    var ofCertificate: any Error {
        switch self as any Error {
        case PathError.certificate(let error): error
        case PureAttestError.certificate(let error): error
        default: self
        }
    }
}

private func text(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum:
        guard let name = caseName(of: value) else { return String(reflecting: value) }
        guard let payload = mirror.children.first?.value else { return name }
        let inside = text(of: payload)
        return Mirror(reflecting: payload).displayStyle == .tuple ? name + inside : "\(name)(\(inside))"
    case .tuple:
        let parts = mirror.children.filter { !($0.value is UnixTime) }.map { child in
            // Associated values without a label have the labels .0, .1 and so on.
            guard let label = child.label, !label.hasPrefix(".") else { return text(of: child.value) }
            return "\(label): \(text(of: child.value))"
        }
        return "(\(parts.joined(separator: ", ")))"
    default: return String(reflecting: value)
    }
}

/// Returns the case name that the standard library prints.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
