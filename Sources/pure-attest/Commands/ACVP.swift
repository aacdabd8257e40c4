import VectorSupport

/// Answers the questions with which NIST validates cryptographic modules.
struct ACVP: Command {
    static let name = "acvp"
    static let summary = "Answer questions of NIST's validation protocol (ACVP)."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file), isRequired: false, isRepeatable: false)]
    static let options = [wrapperOption]
    private static let wrapperOption = Option.flag(
        "--module-wrapper", "Answer acvptool, BoringSSL's client, through standard input and output.")
    static let discussion = """
        FILE is prompt.json (- is standard input): one vector set, or a session's list of them. The response goes to standard
        output as response.json has it. Answered are SHA2-256, SHA2-384 and SHA2-512 (AFT, MCT, LDT), HMAC with them, and ECDSA
        keyVer and sigVer on P-256 and P-384. A file that asks for anything else gets no response: a part of one is worth nothing.

        --module-wrapper speaks the protocol of acvptool's module wrappers. acvptool starts a program without arguments:
          printf '#!/bin/sh\\nexec pure-attest acvp --module-wrapper\\n' > wrapper && chmod +x wrapper
          acvptool -wrapper ./wrapper -json prompt.json > response.json

        That the answers are right is for NIST or the laboratory to say; nothing here is validated.

        Exit status: 0 answered, 2 usage error, an input that can't be read, or a question without an answer.
        """

    private let path: String?

    init(_ arguments: Arguments) throws {
        path = arguments.operands.first
        guard arguments.flag(Self.wrapperOption) == (path == nil) else {
            throw UnusableInput(
                path == nil
                    ? "acvp needs FILE or --module-wrapper" : "acvp takes FILE or --module-wrapper, not both")
        }
    }

    func run() throws -> ExitStatus {
        guard let path else { return try converse() }
        let prompt = Data(try fileBytes(path, maximum: maximumVectorFileSize))
        let response: Data
        do { response = try ACVPResponse.answering(prompt) } catch let error as ACVPResponse.Unanswerable {
            throw UnusableInput("\(inputName(path)): \(error.reason)")
        } catch VectorFileError.tooManyValues {
            throw UnusableInput("\(inputName(path)) has more values than any file of vectors of its size")
        } catch {
            throw UnusableInput("\(inputName(path)) is no prompt of ACVP")
        }
        print(String(decoding: response, as: UTF8.self) + "\n")
        return .success
    }

    private func converse() throws -> ExitStatus {
        guard !standardInputIsTerminal else { throw UnusableInput("acvptool speaks here, and not a terminal") }
        do {
            try ACVPModule.converse(reading: standardInputBytes, writing: writeOutput)
        } catch let error as ACVPModule.Failure {
            switch error {
            case .truncated: throw UnusableInput("standard input ends inside a request")
            case .tooLarge: throw UnusableInput("a request is larger than any of acvptool's")
            case .unknownCommand(let name): throw UnusableInput("no command of this module: \(excerpt(name))")
            }
        }
        return .success
    }
}
