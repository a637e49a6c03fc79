package import TaskModel

/// How much one worker may send to the host: frames and bytes a second, and far fewer frames of some kinds. A worker that
/// sends more is read later and loses only time; a worker that sends more of those kinds for a whole second is killed.
///
/// A frame costs the host 1 to 3 us (a submission some 30), so that at these rates one worker takes a hundredth of its
/// thread and the 64 that may run at once by default a quarter of it when all of them flood. A value without a clock.
package struct WireBudget: Sendable, BitwiseCopyable {
    /// 4,000 frames a second.
    private static let framePrice = TimeSpan(nanoseconds: 250_000)
    /// 16 MB a second.
    package static let bytePrice = TimeSpan(nanoseconds: 60)
    /// 1,000 dear frames a second: an honest worker sends ten reports of progress a second for each run.
    private static let dearPrice = TimeSpan.milliseconds(1)
    /// A query costs as much as this many frames: it waits for a commit, and the sender waits for the answer.
    private static let question = 4
    /// Extra frames for each run, and how many of them may be expensive: a worker that does more work sends more.
    private static let framesOfRun = 16
    private static let dearFramesOfRun = 16
    /// The host does not read a wire until a batch of this size is allowed: it does not wake for single frames.
    private static let framesAtOnce = 64
    private static let bytesAtOnce = 256 << 10
    /// How long a worker may exceed the rate of expensive frames.
    private static let patience = TimeSpan.seconds(1)

    /// What a frame costs.
    package enum Price: Sendable, BitwiseCopyable {
        /// Owed to the host, and no more often than that: the end of a run, the steps of a launch.
        case free
        /// An honest worker may send many of these: log lines, titles, assertions.
        case plain
        /// No honest worker sends it in great number: reports of progress, of misuse.
        case dear
        /// Expensive too, at a quarter of that rate: submissions, and everything else that needs an answer.
        case question
    }

    /// The verdict about a worker's frames.
    package enum Verdict: Sendable, BitwiseCopyable, Equatable {
        case withinBudget
        /// Its wire is not read until then.
        case late(until: Instant)
        case flood(Flood)
    }

    /// Too many expensive frames.
    package struct Flood: Sendable, BitwiseCopyable, Equatable {
        package var frames: Int
        package var span: TimeSpan
        /// The run that all of them were about; nil when there is not the one.
        package var run: RunHandle?
    }

    private var frames = RateBucket(price: framePrice)
    private var bytes = RateBucket(price: bytePrice)
    private var dear = RateBucket(price: dearPrice)
    /// Since when dear frames have come faster than they may, and how many have since; nil: they have not.
    private var flood: (since: Instant, frames: Int, run: RunHandle?)?

    package init() {}

    /// A run was given to the worker.
    package mutating func addRun() {
        frames.give(Self.framesOfRun)
        dear.give(Self.dearFramesOfRun)
    }

    /// Charges one frame that was read.
    ///
    /// - Parameter run: what it is about, if it is about a run.
    package mutating func charge(_ price: Price, bytes count: Int, about run: RunHandle?, at now: Instant) {
        guard price != .free else { return }
        frames.take(1, at: now)
        bytes.take(count, at: now)
        guard price != .plain else { return }
        dear.take(price == .question ? Self.question : 1, at: now)
        if let known = flood {
            flood = (known.since, known.frames + 1, known.run == run ? run : nil)
        } else if dear.isOverdrawn(at: now) {
            flood = (now, 1, run)
        }
    }

    /// What to do with its wire. Call it after each reading.
    package mutating func judge(at now: Instant) -> Verdict {
        if let flood {
            if dear.isRested(at: now) {
                self.flood = nil
            } else if dear.isOverdrawn(at: now), now - flood.since >= Self.patience {
                return .flood(Flood(frames: flood.frames, span: now - flood.since, run: flood.run))
            }
        }
        guard frames.isOverdrawn(at: now) || bytes.isOverdrawn(at: now) || dear.isOverdrawn(at: now) else {
            return .withinBudget
        }
        return .late(
            until: max(
                frames.moment(of: Self.framesAtOnce), bytes.moment(of: Self.bytesAtOnce),
                dear.moment(of: Self.framesAtOnce)))
    }
}
