import PureAttest
import PureX509

extension Report {
    /// Reports the content of a receipt, which is a CMS object, without verifying the receipt.
    init(receipt bytes: ArraySlice<UInt8>) {
        add("size", "Size in bytes", .number(Int64(bytes.count)))
        do {
            let object = try SignedData(berEncoded: bytes)
            do {
                fields += try ReceiptPayload(decoding: object.content).report.fields
            } catch { add("malformed", "Malformed content", .text("\(error)")) }
            add("certificates", "Certificate", .list(object.certificates.map { Report($0) }))
        } catch {
            add("malformed", "Malformed", .text("\(error)"))
        }
    }
}

extension ReceiptPayload {
    var report: Report {
        var report = Report()
        let type: String =
            switch kind {
            case .attestation: "ATTEST"
            case .answer: "RECEIPT"
            }
        report.add("type", "Type", .text(type))
        report.add("appID", "App ID", .text(String(decoding: appIDUTF8, as: UTF8.self)))
        report.add("environment", "Environment", environment.map { .text("\($0)") } ?? .absent)
        report.add("riskMetric", "Risk metric", riskMetric.map { .number(Int64($0)) } ?? .absent)
        report.add("creationTime", "Made", .time(creationTime))
        report.add("notBefore", "Next query from", notBefore.map { .time($0) } ?? .absent)
        report.add("expirationTime", "Expires", .time(expirationTime))
        report.add("token", "Token", token.map { .bytes([UInt8]($0)) } ?? .absent)
        return report
    }
}
