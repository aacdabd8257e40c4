import Foundation
import Synchronization

/// Connections for reads, each guarded by a lock. A call uses a free connection.
///
/// A read runs in the caller's thread, which may belong to Swift's thread pool. Each read is one statement that uses a
/// primary key or an index. With the write-ahead log, reads do not wait for writers. If the database page is in memory,
/// a read takes microseconds, and switching to another thread would take over ten times as long. On a slow disk, reads
/// block threads of Swift's pool, so use PostgreSQL instead.
final class Readers: Sendable {
    /// `@unchecked` is safe because `lock` guards `connection`.
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
