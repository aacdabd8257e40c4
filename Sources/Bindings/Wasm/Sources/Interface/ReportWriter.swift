#if arch(wasm32)
    import PureAttest

    /// Serialises a report for `explain.mjs`. Codes are written as their numbers, numbers are little-endian, and each
    /// list starts with its count.
    struct ReportWriter {
        private(set) var bytes: [UInt8] = []

        mutating func write(_ report: VerificationReport) {
            bytes.append(report.subject.rawValue)
            bytes.append(report.authority.rawValue)
            bytes.append(UInt8(report.steps.count))
            for step in report.steps {
                bytes.append(step.check.rawValue)
                bytes.append(step.status.rawValue)
                write(UInt64(step.error.map { Refusal($0).code } ?? 0), size: 2)
                write(step.expectedValue)
                write(step.receivedValue)
                bytes.append(UInt8(step.causes.count))
                for cause in step.causes {
                    bytes.append(cause.code.rawValue)
                    write(cause.parameters)
                }
            }
        }

        /// Writes 0 if there is no value.
        private mutating func write(_ value: VerificationReport.Value?) {
            guard let value else { return bytes.append(0) }
            bytes.append(value.code.rawValue)
            write(value.parameters)
        }

        /// Truncates lists at 255 entries. Only the caller's own lists of apps and anchors can be longer.
        private mutating func write(_ parameters: [VerificationReport.Parameter]) {
            bytes.append(UInt8(clamping: parameters.count))
            for parameter in parameters.prefix(255) { write(parameter) }
        }

        private mutating func write(_ parameter: VerificationReport.Parameter) {
            switch parameter {
            case .number(let number): write(1, number)
            case .text(let utf8): write(2, utf8)
            case .words(let ascii): write(3, ascii)
            case .hash(let prefix, let count):
                write(4, prefix)
                write(UInt64(count), size: 8)
            case .time(let time): write(5, time.secondsSince1970)
            case .duration(let seconds): write(6, seconds)
            case .environment(let environment): write(7, Int64(environment.rawValue))
            case .build(let hash):
                write(8, hash.bytes)
                bytes.append(hash.type)
            case .version(let version):
                bytes.append(9)
                write(UInt64(version.major), size: 2)
                write(UInt64(version.minor), size: 2)
                write(UInt64(version.patch), size: 2)
            case .unnamed: bytes.append(10)
            case .challenge: bytes.append(11)
            case .clientData: bytes.append(12)
            case .anyOf(let items, let more):
                bytes.append(13)
                write(items)
                write(UInt64(more), size: 8)
            }
        }

        private mutating func write(_ tag: UInt8, _ number: Int64) {
            bytes.append(tag)
            write(UInt64(bitPattern: number), size: 8)
        }

        /// Truncates the text at 65,535 bytes.
        private mutating func write(_ tag: UInt8, _ text: [UInt8]) {
            bytes.append(tag)
            write(UInt64(UInt16(clamping: text.count)), size: 2)
            bytes += text.prefix(0xffff)
        }

        private mutating func write(_ number: UInt64, size: Int) {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
        }
    }
#endif
