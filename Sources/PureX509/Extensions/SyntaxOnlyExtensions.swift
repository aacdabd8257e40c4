import PureDER

// Checks the syntax of extensions whose contents only path validation interprets.

/// Checks subjectAltName (RFC 5280 §4.2.1.6).
func checkSubjectAlternativeName(_ value: ArraySlice<UInt8>) throws(X509Error) {
    try GeneralName.readAll(
        try FieldReader.entering(.sequence, of: value, .subjectAlternativeName))
}

/// Checks authorityInfoAccess (RFC 5280 §4.2.2.1). No location is contacted.
func checkAuthorityInformationAccess(_ value: ArraySlice<UInt8>) throws(X509Error) {
    var reader = try FieldReader.entering(.sequence, of: value, .authorityInformationAccess)
    try reader.requireElement()
    while !reader.isAtEnd {
        var description = try reader.enter(.sequence)
        _ = try description.readObjectIdentifier()
        try GeneralName.read(&description, .host)
        try description.finish()
    }
}

/// Checks the syntax of nameConstraints (RFC 5280 §4.2.1.10). `NameConstraints` decodes them.
package func checkNameConstraints(_ value: ArraySlice<UInt8>) throws(X509Error) {
    var reader = try FieldReader.entering(.sequence, of: value, .nameConstraints)
    try reader.requireElement()
    for tag in [DERTag.context(0), .context(1)] {
        guard let subtrees = try reader.readIfPresent(tag) else { continue }
        var list = FieldReader(subtrees, reader.field)
        try list.requireElement()
        while !list.isAtEnd {
            // GeneralSubtree: the RFC requires minimum to have its default value, 0, and forbids maximum.
            var subtree = try list.enter(.sequence)
            try GeneralName.read(&subtree, .network)
            try subtree.finish()
        }
    }
    try reader.finish()
}

/// Checks certificatePolicies (RFC 5280 §4.2.1.4). Rejects duplicate policies. Returns whether the RFC defines the
/// types of all qualifiers. Path validation rejects a critical extension that contains an unknown qualifier type.
func checkCertificatePolicies(_ value: ArraySlice<UInt8>) throws(X509Error) -> Bool {
    var qualifiersAreKnown = true
    var policies = DistinctIdentifiers()
    var reader = try FieldReader.entering(.sequence, of: value, .certificatePolicies)
    try reader.requireElement()
    while !reader.isAtEnd {
        var policy = try reader.enter(.sequence)
        policies.append(try policy.readObjectIdentifier())
        guard !policy.isAtEnd else { continue }
        var qualifiers = try policy.enter(.sequence)
        try qualifiers.requireElement()
        while !qualifiers.isAtEnd {
            var qualifier = try qualifiers.enter(.sequence)
            let type = try qualifier.readObjectIdentifier()
            _ = try qualifier.readElement()
            try qualifier.finish()
            if type != .practiceStatement, type != .userNotice { qualifiersAreKnown = false }
        }
        try policy.finish()
    }
    guard policies.areDistinct else { throw .invalidValue(.certificatePolicies) }
    return qualifiersAreKnown
}

/// Checks policyMappings (RFC 5280 §4.2.1.5).
func checkPolicyMappings(_ value: ArraySlice<UInt8>) throws(X509Error) {
    var reader = try FieldReader.entering(.sequence, of: value, .policyMappings)
    try reader.requireElement()
    while !reader.isAtEnd {
        var mapping = try reader.enter(.sequence)
        _ = try mapping.readObjectIdentifier()
        _ = try mapping.readObjectIdentifier()
        try mapping.finish()
    }
}

/// Checks policyConstraints (RFC 5280 §4.2.1.11): at least one of the two numbers must be present.
func checkPolicyConstraints(_ value: ArraySlice<UInt8>) throws(X509Error) {
    var reader = try FieldReader.entering(.sequence, of: value, .policyConstraints)
    try reader.requireElement()
    for tag in [DERTag.contextPrimitive(0), .contextPrimitive(1)] where try reader.peekTag() == tag {
        guard try reader.readInt64(tag) >= 0 else { throw .invalidValue(.policyConstraints) }
    }
    try reader.finish()
}

/// Checks inhibitAnyPolicy (RFC 5280 §4.2.1.14).
func checkInhibitAnyPolicy(_ value: ArraySlice<UInt8>) throws(X509Error) {
    var reader = FieldReader(value, .inhibitAnyPolicy)
    guard try reader.readInt64() >= 0 else { throw .invalidValue(.inhibitAnyPolicy) }
    try reader.finish()
}
