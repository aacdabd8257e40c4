import PureAttestServerCore

/// Returns the service's OpenAPI document with the codes of HTTPAnswer, which are one line of it.
///
/// The words for faults of HTTP itself are the service's own (RequestFault); its tests compare them.
func openAPIDocument(_ document: some Collection<UInt8>) -> String {
    let name = Array(#"      "AnswerCode": "#.utf8)
    let line = Array(#"{ "type": "string", "enum": [ \#(names(HTTPAnswer.Code.self)) ] },"#.utf8)
    let lines = document.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { $0.starts(with: name) ? name + line : Array($0) }
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
}
