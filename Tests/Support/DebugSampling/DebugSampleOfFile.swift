public import Foundation

/// Applies `debugSample` to the array `list` of a JSON file of cases. Also returns how many cases the sample and the
/// file contain.
public func debugSample(
    ofFile json: Data, list: String, every stride: Int, of name: String
) throws -> (json: Data, count: Int, total: Int) {
    guard var file = try JSONSerialization.jsonObject(with: json) as? [String: Any], let cases = file[list] as? [Any]
    else {
        throw CocoaError(.coderReadCorrupt)
    }
    let sample = debugSample(cases, every: stride, of: name)
    guard sample.count < cases.count else { return (json, cases.count, cases.count) }
    file[list] = sample
    if file["numberOfTests"] != nil { file["numberOfTests"] = sample.count }
    return (try JSONSerialization.data(withJSONObject: file), sample.count, cases.count)
}
