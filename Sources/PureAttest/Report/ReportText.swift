#if !hasFeature(Embedded)
    import PureDER
    import PureBytes

    /// Makes text safe to log: at most 100 characters, with control characters and line separators escaped.
    func printable(_ utf8: some Collection<UInt8>) -> String {
        var text = ""
        for scalar in String(decoding: utf8.prefix(400), as: UTF8.self).unicodeScalars.prefix(100) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "“\(text)”"
    }

    /// Returns a duration as text, in the largest unit that is at most half of the duration.
    func printable(seconds: Int64) -> String {
        let (count, unit) =
            switch seconds {
            case 172_800...: (seconds / 86_400, "days")
            case 7_200...: (seconds / 3_600, "hours")
            case 120...: (seconds / 60, "minutes")
            default: (seconds, "seconds")
            }
        return "\(count) \(unit)"
    }

    extension VerificationReport.Phrase {
        /// Returns the text with the parameters inserted. Surplus parameters are omitted.
        fileprivate func filling(_ text: String) -> String {
            var parts = text.split(separator: "%", omittingEmptySubsequences: false)[...]
            var filled = String(parts.removeFirst())
            for (part, parameter) in zip(parts, parameters) { filled += "\(parameter.text)\(part)" }
            return filled
        }
    }

    extension VerificationReport.Phrase where Code == VerificationReport.CauseCode {
        /// The cause in words.
        public var text: String { filling(code.text) }
    }

    extension VerificationReport.Phrase where Code == VerificationReport.ValueCode {
        /// The value in words.
        public var text: String {
            code == .plain ? parameters.map(\.text).joined(separator: " ") : filling(code.text)
        }
    }

    extension VerificationReport.Parameter {
        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let utf8): printable(utf8)
            case .words(let ascii): String(decoding: ascii, as: UTF8.self)
            case .hash(let prefix, let count):
                hexEncodedString(prefix) + (count > prefix.count ? "…" : "") + " (\(count) bytes)"
            case .time(let time): "\(time)"
            case .duration(.max): "an age"
            case .duration(let seconds): printable(seconds: seconds)
            case .environment(let environment): "\(environment)"
            case .build(let hash): "\(hash)"
            case .version(let version): "\(version)"
            case .unnamed: "a name without a common name"
            case .challenge: "challenge"
            case .clientData: "client data"
            case .anyOf(let items, let more):
                items.isEmpty
                    ? "none" : items.map(\.text).joined(separator: " or ") + (more > 0 ? " or \(more) more" : "")
            }
        }
    }

    extension VerificationReport.Step {
        /// Apple's step number, or a word if Apple has no such step.
        public var number: String { check.number(in: subject) }
        /// The check in words.
        public var title: String {
            check.title.split(separator: "%", omittingEmptySubsequences: false).joined(separator: authority.name)
        }
        /// The expected value in words, if it can be stated.
        public var expected: String? { expectedValue?.text }
        /// The received value in words, if it can be stated.
        public var received: String? { receivedValue?.text }
        /// ``causes`` in words.
        public var likelyCauses: [String] { causes.map(\.text) }
    }

    extension VerificationReport: CustomStringConvertible {
        /// The report as text: one line per step. Indented lines below a failed step state the details of the failure.
        public var description: String {
            var text = "Diagnostic report (not a verification): \(subject).\n"
            for step in steps {
                let mark =
                    switch step.status {
                    case .passed: "ok    "
                    case .failed: "FAILED"
                    case .notRun: "not run"
                    }
                text += "\(mark) \(step.number): \(step.title)\n"
                if let expected = step.expected { text += "       expected: \(expected)\n" }
                if let received = step.received { text += "       received: \(received)\n" }
                for cause in step.likelyCauses { text += "       likely: \(cause)\n" }
            }
            return text
        }
    }
#endif
