import Foundation
import ServiceClient
import Testing

/// Tests that the messages of a request to `/generate` never cost more than their reserve.
@Suite(.serialized) struct GenerateMessagesTests {
    // A prompt costs one token for each byte, and one token for the answer.
    private static let textOnly = ["ATTEST_GENERATE_BYTES_PER_TOKEN": "1", "ATTEST_BUDGET_UNITS": "100000"]

    private static func user(_ content: String) -> String {
        #"{"messages":[{"role":"user","content":\#(content)}],"max_tokens":1}"#
    }

    /// If a message refers to content, its cost does not depend on its bytes. So the service rejects each kind of such
    /// content in every position.
    @Test(arguments: [
        #"[{"type":"image_url","image_url":{"url":"https://x/1"}}]"#,
        #"[{"type":"input_image","image_url":"https://x"}]"#,
        #"[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]"#,
        #"[{"type":"input_image","file_id":"f"}]"#, #"[{"type":"file","file":{"file_id":"f"}}]"#,
        #"[{"type":"input_file","file_id":"f"}]"#,
        #"[{"type":"input_audio","input_audio":{"data":"A","format":"wav"}}]"#,
        #"[{"type":"video_url","video_url":{"url":"https://x"}}]"#,
        #"[{"type":"text","text":"x"},{"type":"image_url","image_url":"x"}]"#,
        #"[{"type":"text","text":"x","image_url":{"url":"https://x"}}]"#, #"[{"image_url":{"url":"https://x"}}]"#,
        #"[{"type":"text","text":{"type":"image_url","image_url":"x"}}]"#, #"[{"type":"text"}]"#, #"[{"text":"x"}]"#,
        #"[[{"type":"image_url","image_url":"x"}]]"#, #"["x"]"#, #"[null]"#, #"[1]"#,
        #"[{"type":"tool_result","content":[{"type":"image_url","image_url":"x"}]}]"#,
        #"[{"type":"Text","text":"x"}]"#, #"[{"type":"text\u0301","text":"x"}]"#, #"[{"type":null,"text":"x"}]"#,
        #"{"type":"image_url","image_url":"x"}"#, "null", "1", "true",
        #""x","audio":{"id":"a"}"#, #""x","file":"f""#, #""x","attachments":[{"file_id":"f"}]"#, #""x","images":["x"]"#,
        #""x","name":{"image_url":"x"}"#, #""x","refusal":["x"]"#, #""x","tool_call_id":1"#, #""x","tool_calls":[]"#,
        #""x","function_call":{"name":"f","arguments":""}"#, #""x","reasoning_content":"x""#,
    ]) func whatIsReadByReferenceIsRefused(content: String) async throws {
        let bench = try await GenerateTests.Bench(Self.textOnly)
        for role in ["user", "tool", "system"] {
            let body = Self.user(content).replacing(#""role":"user""#, with: #""role":"\#(role)""#)
            let answer = try await bench.ask(body)
            #expect(answer.status == 400 && answer.text == #"{"error":"malformedRequest"}"#, "\(body)")
        }
        #expect(bench.upstream.asked.isEmpty)
    }

    /// Function calls may contain only text.
    @Test(arguments: [
        #"[{"id":"1","type":"function","function":{"name":"f","arguments":"{}","file":"x"}}]"#,
        #"[{"id":"1","type":"custom","function":{"name":"f","arguments":"{}"}}]"#, #"[{"id":"1","type":"function"}]"#,
        #"[{"id":"1","type":"function","function":{"name":"f","arguments":{}}}]"#, #"["x"]"#, "null", #""x""#,
        #"[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"},"image_url":"x"}]"#,
    ]) func callsOfFunctionsAreText(calls: String) async throws {
        let bench = try await GenerateTests.Bench(Self.textOnly)
        let body = #"{"messages":[{"role":"assistant","content":null,"tool_calls":\#(calls)}],"max_tokens":1}"#
        #expect(try await bench.ask(body).status == 400)
        #expect(bench.upstream.asked.isEmpty)
    }

    @Test func textIsAsBefore() async throws {
        let bench = try await GenerateTests.Bench(Self.textOnly)
        bench.upstream.answer(.json(used: nil))
        let messages = #"""
            [{"content":"You answer.","role":"system"},{"content":"x","name":"a","role":"developer"},
            {"content":[{"text":"https://x/1.png ä","type":"text"},{"text":"","type":"text"}],"role":"user"},
            {"content":null,"refusal":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"f"},"id":"1","type":"function"}]},
            {"role":"assistant"},{"content":"data:image/png;base64,AAAA","role":"tool","tool_call_id":"1"}]
            """#.replacing("\n", with: "").replacing("            ", with: "")
        let answer = try await bench.ask(#"{"messages":\#(messages),"max_tokens":1}"#)
        let asked = try #require(bench.upstream.asked.first)
        #expect(answer.status == 200)
        #expect(asked.body.replacing("\\/", with: "/").contains(messages), "\(asked.body)")
        #expect(answer.headers["attest-units-left"] == "\(100_000 - 1 - asked.body.utf8.count)")
    }

    /// The service rejects content without a reserve. For every kind with a reserve, three requests that end early cost
    /// at least their reserves.
    @Test(arguments: [
        (#"[{"type":"image_url","image_url":{"url":"https://x/1","detail":"high"}}]"#, 1_600),
        (
            #"[{"type":"image_url","image_url":"https://x/1"},{"type":"text","text":"x"},{"type":"image_url","image_url":"y"}]"#,
            3_200
        ),
        (
            #"[{"type":"input_audio","input_audio":{"data":"A","format":"wav"}},{"type":"image_url","image_url":"x"}]"#,
            3_700
        ),
        (#"[{"type":"input_image","image_url":"https://x/1","detail":"low"}]"#, 700),
        (#"[{"type":"input_image","file_id":"f"}]"#, 700),
    ]) func configuredPartsCostTheirReserve(content: String, reserve: Int) async throws {
        let bench = try await GenerateTests.Bench(
            Self.textOnly.merging([
                "ATTEST_GENERATE_PARTS": "image_url=1600,input_audio=2100,input_image=700",
                "ATTEST_BUDGET_UNITS": "\(3 * reserve + 1_000)",
            ]) { $1 })
        var early = FakeUpstream.Behaviour.stream(used: 3)
        early.breaksOff = true
        early.parts = [early.parts[0]]
        bench.upstream.answer(early)
        for _ in 0..<3 { _ = try? await bench.ask(Self.user(content)) }
        let bytes = bench.upstream.asked.map(\.body.utf8.count).reduce(0, +)
        #expect(bench.upstream.asked.count == 3)
        bench.upstream.answer(.json(used: 0))
        let answer = try await bench.ask(#"{"messages":[{"role":"user","content":""}],"max_tokens":1}"#)
        let last = 1 + (bench.upstream.asked.last?.body.utf8.count ?? 0)
        #expect(answer.headers["attest-units-left"] == "\(1_000 - bytes - 3 - last)")
    }

    @Test(arguments: [
        #"[{"type":"image_url","image_url":{"url":"x"},"video_url":"y"}]"#, #"[{"type":"image_url","video_url":"x"}]"#,
        #"[{"type":"image_url","image_url":[{"url":"x"},{"url":"y"}]}]"#,
        #"[{"type":"image_url","image_url":{"url":"x","url2":"y"}}]"#, #"[{"type":"image_url","image_url":{}}]"#,
        #"[{"type":"image_url","image_url":{"url":{"a":"x"}}}]"#,
        #"[{"type":"image_url"}]"#, #"[{"type":"image_url","image_url":"x","file_id":"y"}]"#,
        #"[{"type":"image_url","image_url":"x","detail":{"image_url":"y"}}]"#,
        #"[{"type":"input_audio","input_audio":1}]"#,
        #"[{"type":"input_image","image_url":{"url":"x"}}]"#, #"[[{"type":"image_url","image_url":"x"}]]"#,
        #"[{"type":"video_url","video_url":"x"}]"#,
    ]) func aPartHidesNoOther(content: String) async throws {
        let bench = try await GenerateTests.Bench(
            Self.textOnly.merging(["ATTEST_GENERATE_PARTS": "image_url=1600,input_audio=2100,input_image=700"]) { $1 })
        #expect(try await bench.ask(Self.user(content)).status == 400)
        #expect(bench.upstream.asked.isEmpty)
    }

    /// Parsers differ on which of two values applies, so the service rejects a member that occurs twice.
    @Test func messagesHaveNoMemberTwice() async throws {
        let bench = try await GenerateTests.Bench(Self.textOnly)
        let picture = #"[{"type":"image_url","image_url":"x"}]"#
        for body in [
            Self.user(#""x","content":\#(picture)"#), Self.user(#"\#(picture),"content":"x""#),
            #"{"messages":[{"role":"user","content":"x"}],"messages":[{"role":"user","content":\#(picture)}],"max_tokens":1}"#,
            Self.user(#"[{"type":"image_url","type":"text","text":"x"}]"#),
            Self.user(#"[{"type":"text","type":"image_url","text":"x"}]"#),
        ] { #expect(try await bench.ask(body).status == 400, "\(body)") }
        #expect(bench.upstream.asked.isEmpty)
    }
}
