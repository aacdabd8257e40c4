func resultLayoutModule() -> String {
    func structure(_ name: String, _ type: String, _ members: [(name: String, offset: Int)], size: Int) -> String {
        """

        /** `\(type)` of pure_attest.h */
        export const \(name)_SIZE = \(size);
        export const \(name) = {
        \(members.map { "  \($0.name): \($0.offset),\n" }.joined())};

        """
    }
    return "/** Written by generate-bindings from ResultMember.swift: the offsets of members, in bytes. */\n"
        + structure(
            "RESULT", "pure_attest_result", ResultMember.allCases.map { ("\($0)", $0.rawValue) },
            size: ResultMember.size)
        + structure(
            "RECEIPT", "pure_attest_receipt_result", ReceiptMember.allCases.map { ("\($0)", $0.rawValue) },
            size: ReceiptMember.size)
}
