import VectorSupport

/// Answers the ACVP test questions that NIST uses to validate cryptographic modules.
struct ACVP: Command {
    static let name = "acvp"
    static let summary = "Answer test vectors of NIST's validation protocol (ACVP)."
    static let operands = [Operand(value: Value(name: "FILE", kind: .file))]
    static let options = [wrapperOption]
    private static let wrapperOption = Option.flag(
        "--module-wrapper", "Answer acvptool, BoringSSL's client, through standard input and output.")
    static let discussion = """
        FILE is prompt.json (- is standard input): one vector set, or a session's list of vector sets. The command writes
        response.json to standard output. It supports SHA2-256, SHA2-384 and SHA2-512 (AFT, MCT, LDT), HMAC with these hashes,
        and ECDSA keyVer and sigVer on P-256 and P-384. A file with any other algorithm gets no response, not even a partial one.

        --module-wrapper speaks the protocol of acvptool's module wrappers. acvptool starts a program without arguments:
          printf '#!/bin/sh\\nexec pure-attest acvp --module-wrapper\\n' > wrapper && chmod +x wrapper
          acvptool -wrapper ./wrapper -json prompt.json > response.json

        Only NIST or the laboratory can validate the answers. This module has no validation.

        Exit status: 0 answered, 2 usage error, unreadable input, or an unsupported test.
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
            throw UnusableInput("\(inputName(path)) has too many values for a vector file of its size")
        } catch {
            throw UnusableInput("\(inputName(path)): expected an ACVP prompt.json")
        }
        print(String(decoding: response, as: UTF8.self) + "\n")
        return .success
    }

    private func converse() throws -> ExitStatus {
        guard !standardInputIsTerminal else {
            throw UnusableInput("--module-wrapper expects acvptool on standard input, not a terminal")
        }
        do {
            try ACVPModule.converse(reading: standardInputBytes, writing: writeOutput)
        } catch let error as ACVPModule.Failure {
            switch error {
            case .truncated: throw UnusableInput("standard input ends inside a request")
            case .tooLarge: throw UnusableInput("a request exceeds the size limit")
            case .unknownCommand(let name): throw UnusableInput("unsupported module command: \(excerpt(name))")
            }
        }
        return .success
    }
}
