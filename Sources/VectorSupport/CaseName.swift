/// The name of an enum's case, whatever the enum says of itself; `nil` for what is no enum.
public func caseName<Value>(of value: Value) -> String? {
    guard let name = unsafe enumCaseName(value) else { return nil }
    return unsafe String(cString: name)
}

/// What the standard library prints cases with.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
