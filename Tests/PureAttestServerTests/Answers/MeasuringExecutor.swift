import Dispatch
import Synchronization

/// Runs one task's jobs on its own queue and measures their processor time.
///
/// On the shared threads, other tests' jobs run whenever the task suspends, so a thread's processor time would include
/// them.
final class MeasuringExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "PureAttest measurement")
    /// Between jobs, their processor time in nanoseconds. During a job, this minus the thread's time at its start.
    private let total = Mutex<UInt64>(0)

    /// The processor time of the jobs so far, in nanoseconds. Valid only in a job of this executor.
    var processorTime: UInt64 { total.withLock { $0 } &+ threadProcessorTime() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            self.total.withLock { $0 &-= threadProcessorTime() }
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.total.withLock { $0 &+= threadProcessorTime() }
        }
    }
}
