import Foundation
import PureAttestServerCore

/// Returns the service's OpenAPI document with the codes of HTTPAnswer, which are one line of it.
///
/// The words for faults of HTTP itself are the service's own (RequestFault); its tests compare them.
func openAPIDocument(_ document: String) -> String {
    document.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix(#"      "AnswerCode": "#) ? answerCodeSchema() : String($0) }
        .joined(separator: "\n")
}

private func answerCodeSchema() -> String {
    #"      "AnswerCode": { "type": "string", "enum": [ \#(names(HTTPAnswer.Code.self)) ] },"#
}
