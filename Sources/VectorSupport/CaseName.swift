import PureAttest
import PureDER
import PureX509Paths

/// Returns the name of an enum's case, independent of its description; `nil` for other values.
public func caseName<Value>(of value: Value) -> String? {
    guard let name = unsafe enumCaseName(value) else { return nil }
    return unsafe String(cString: name)
}

/// Returns the text of an error with its associated values, as Swift prints enums that have no description of their
/// own. Corpora name errors by this text. Omits times, and the names of modules and types before cases.
func caseText(of error: any Error) -> String {
    text(of: error).replacing(/Pure[A-Za-z0-9]+\.([A-Za-z0-9]+\.)?/, with: "")
}

extension Error {
    /// The certificate error that an error of a path or attestation wraps, or the error itself.
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
            // Members without a name have the labels .0, .1 and so on.
            guard let label = child.label, !label.hasPrefix(".") else { return text(of: child.value) }
            return "\(label): \(text(of: child.value))"
        }
        return "(\(parts.joined(separator: ", ")))"
    default: return String(reflecting: value)
    }
}

/// Returns the name with which the standard library prints a case.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
