import Foundation
import Synchronization

/// Connections for reading, each behind a lock: a call takes one that is free.
///
/// A read runs in the thread that asks, which may be one of Swift's own. It is one statement by a primary key or an index, waits for no
/// writer (write-ahead log), and takes some microseconds where the page is in memory; a hop to a thread of its own would cost more than
/// ten times that. Where pages come from a slow disk, those threads wait for it: such a store wants PostgreSQL.
final class Readers: Sendable {
    /// Unchecked: `connection` is used behind `lock`.
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
