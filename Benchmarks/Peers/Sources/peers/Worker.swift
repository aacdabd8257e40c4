import Foundation

/// Measures one operation for each request, so that the caller can alternate between peers. A request is a line `NAME
/// SECONDS` on standard input; the answer is a line of JSON. `--list` prints the names. `--objects` prints new objects
/// of a virtual device, for peers in other languages. `--answer` verifies objects (see Answers.swift).
@main
struct Worker {
    static func main() async {
        do {
            if CommandLine.arguments.dropFirst() == ["--objects"] {
                print(String(decoding: try JSONEncoder().encode(SharedObjects(repository: repository)), as: UTF8.self))
                return
            }
            if CommandLine.arguments.dropFirst() == ["--answer"] {
                await answerQuestions()
                return
            }
            let measurements =
                try await primitives() + messageVerifications() + verifications(repository: repository)
            if CommandLine.arguments.dropFirst() == ["--list"] {
                for measurement in measurements { print(measurement.name) }
                return
            }
            while let line = readLine() {
                let words = line.split(separator: " ")
                guard words.count == 2, let seconds = Double(words[1]), 0...60 ~= seconds,
                    let measurement = measurements.first(where: { $0.name == words[0] })
                else { stop("no measurement: \(line)") }
                let run = try await measurement.run(seconds: seconds)
                print(String(decoding: try JSONEncoder().encode(run), as: UTF8.self))
                fflush(nil)
            }
        } catch { stop("\(error)") }
    }

    private static let repository = URL(filePath: #filePath).appending(path: "../../../../..").standardized

    private static func stop(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("peers: \(reason)\n".utf8))
        exit(2)
    }
}
