import Dispatch
import Synchronization

/// Runs one task's jobs on its own queue and measures their processor time.
///
/// On a shared thread, jobs of other tests run whenever the task suspends, and the thread's time includes them.
final class MeasuringExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "PureAttest measurement")
    /// Between jobs: the processor time of all jobs, in nanoseconds. During a job: this time minus the thread's
    /// processor time at the start of the job.
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
