struct Manual: Command {
    static let name = "man"
    static let summary = "Print the manual page."
    static let operands: [Operand] = []
    static let options: [Option] = []
    static let discussion = """
        To read the page, and to install it for man:

          pure-attest man | man -l -
          pure-attest man > /usr/local/share/man/man1/pure-attest.1
        """

    init(_ arguments: Arguments) throws {}

    func run() throws -> ExitStatus {
        print(ManualPage.text)
        return .success
    }
}
