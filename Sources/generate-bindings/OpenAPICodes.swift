import PureAttestServerCore

/// Returns the service's OpenAPI document, after replacing the line that lists the codes of HTTPAnswer. The service
/// itself defines the codes for faults of HTTP requests (RequestFault). The service's tests compare these codes with
/// the document.
func openAPIDocument(_ document: some Collection<UInt8>) -> String {
    let name = Array(#"      "AnswerCode": "#.utf8)
    let line = Array(#"{ "type": "string", "enum": [ \#(names(HTTPAnswer.Code.self)) ] },"#.utf8)
    let lines = document.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { $0.starts(with: name) ? name + line : Array($0) }
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
}
