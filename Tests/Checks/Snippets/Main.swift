import Foundation

/// Runs every Swift block without a mark that excludes it (“not compiled”, “not run”, “only compiled”). A block passes
/// if it does not throw or trap.
@main struct Main {
    static func main() async {
        var failures = 0
        for snippet in snippets {
            do { try await snippet.run() } catch {
                failures += 1
                print("\(snippet.place): \(error)")
            }
        }
        print("\(snippets.count) blocks run, \(failures) failed")
        exit(failures > 0 || snippets.count < 20 ? 1 : 0)
    }
}
