import Foundation
import Synchronization

/// Read connections, each behind a lock; a call uses a free one.
///
/// A read runs in the caller's thread, which may belong to Swift's thread pool. It is one statement by a primary key or
/// an index, and waits for no writer (write-ahead log). It takes microseconds if the page is in memory; switching
/// threads would cost over ten times that. With a slow disk those threads would block: use PostgreSQL.
final class Readers: Sendable {
    /// Unchecked: `lock` guards `connection`.
    private final class Reader: @unchecked Sendable {
        let lock = NSLock()
        let connection: SQLiteConnection

        init(_ connection: SQLiteConnection) { self.connection = connection }
    }

    private let readers: [Reader]
    private let next = Atomic<Int>(0)

    init(_ count: Int, _ open: () throws(SQLiteFailure) -> SQLiteConnection) throws(SQLiteFailure) {
        var readers: [Reader] = []
        for _ in 0..<max(count, 1) { readers.append(Reader(try open())) }
        self.readers = readers
    }

    func read<Value>(
        _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let first = Int(UInt(bitPattern: next.wrappingAdd(1, ordering: .relaxed).oldValue) % UInt(readers.count))
        for offset in readers.indices {
            let reader = readers[(first + offset) % readers.count]
            guard reader.lock.try() else { continue }
            defer { reader.lock.unlock() }
            return try body(reader.connection)
        }
        readers[first].lock.lock()
        defer { readers[first].lock.unlock() }
        return try body(readers[first].connection)
    }
}
