import TaskModel

// CPU time and memory of a worker's tree, charged to the runs that are in it.
extension Engine {
    /// The shortest pause between two readings.
    private static let shortestMeterSpan = TimeSpan.milliseconds(2)
    /// The pause between two readings where the kernel does not limit memory.
    private static let memoryMeterSpan = TimeSpan.milliseconds(100)

    mutating func metered(
        _ worker: WorkerHandle, cpu: TimeSpan, peak: ByteCount
    ) {
        guard let worker = workers.index(worker) else { return }
        // A reading may fail and give nothing; time that was used stays used.
        workers[worker].cpu = max(cpu, workers[worker].cpu)
        let beganAnew = peak < workers[worker].peak
        workers[worker].peak = peak
        if workers[worker].memoryAtFirst == nil { workers[worker].memoryAtFirst = peak }
        workers[worker].read = now.instant
        if workers[worker].awaitsReading { beginCharging(worker) }
        guard workers[worker].phase == .ready else { return }
        if workers[worker].runs.isEmpty {
            watchIdle(worker)
            return
        }
        var next = TimeSpan(nanoseconds: .max)
        var candidate = workers[worker].runs.first
        while let run = candidate {
            candidate = runs.next(after: run)
            guard runs[run].isActive else { continue }
            if beganAnew { runs[run].peakAtStart = ByteCount(bytes: 0) }
            if limits.metersMemory && peak > max(runs[run].peakAtStart, runs[run].rules.memory) {
                kill(for: run, as: .exceededMemory)
                return
            }
            next = min(next, meterSpan(of: run))
            if next <= .zero {
                kill(for: run, as: .exceededCPU)
                return
            }
        }
        scheduleMeter(of: worker, within: min(next, nextMemoryLook(at: worker)))
    }

    /// How often a tree that ran out of memory is read again, and the pause before the first reading.
    private static let memoryLooks: UInt8 = 8
    private static let memoryLookSpan = TimeSpan.milliseconds(1)

    /// Version 1 announces a shortage before it kills (mem_cgroup_oom() notifies first), and nothing afterwards: the tree is
    /// read again for a quarter of a second.
    mutating func memoryRanOut(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].phase == .ready, !workers[worker].runs.isEmpty else {
            return
        }
        workers[worker].memoryLooks = Self.memoryLooks
        scheduleMeter(of: worker, within: Self.memoryLookSpan)
    }

    private mutating func nextMemoryLook(at worker: WorkerIndex) -> TimeSpan {
        guard workers[worker].memoryLooks > 0 else { return TimeSpan(nanoseconds: .max) }
        let done = Self.memoryLooks - workers[worker].memoryLooks
        workers[worker].memoryLooks -= 1
        return TimeSpan(nanoseconds: Self.memoryLookSpan.nanoseconds << Int64(done))
    }

    /// The reading that was requested when runs were started.
    private mutating func beginCharging(_ worker: WorkerIndex) {
        workers[worker].awaitsReading = false
        forEachRun(of: worker) { engine, run in
            guard engine.runs[run].awaitsReading else { return }
            engine.runs[run].awaitsReading = false
            engine.chargeFromNow(run, in: worker)
        }
    }

    /// The run is charged with the tree's usage since the last reading.
    mutating func chargeFromNow(_ run: RunIndex, in worker: WorkerIndex) {
        runs[run].cpuAtStart = workers[worker].cpu
        runs[run].peakAtStart = workers[worker].peak
        runs[run].windowStart = now.instant
        runs[run].cpuAtWindow = workers[worker].cpu
    }

    /// How long the run's CPU allowance lasts at least; zero or less when it is used up. Advances the monitor's window
    /// when it has passed.
    mutating func meterSpan(of run: RunIndex) -> TimeSpan {
        guard let worker = runs[run].worker else { return .zero }
        let cpu = workers[worker].cpu
        let rules = runs[run].rules
        var left = Int64.max
        var span = TimeSpan(nanoseconds: .max)
        if let budget = rules.cpuTime {
            left = budget.nanoseconds - (cpu - runs[run].cpuAtStart).nanoseconds
        }
        if rules.isMonitored && isInFront(worker) {
            runs[run].awaitsWindow = true
        } else if rules.isMonitored {
            if runs[run].awaitsWindow {
                runs[run].awaitsWindow = false
                runs[run].windowStart = now.instant
                runs[run].cpuAtWindow = cpu
            }
            let (window, share) = (limits.profile.cpuMonitorWindow, limits.profile.cpuMonitorShare)
            let passed = now.instant - runs[run].windowStart
            if passed >= window {
                let used = cpu - runs[run].cpuAtWindow
                if used.seconds > passed.seconds * share { return .zero }
                runs[run].windowStart = now.instant
                runs[run].cpuAtWindow = cpu
            }
            let allowance = Int64(window.seconds * share * 1e9)
            left = min(left, allowance - (cpu - runs[run].cpuAtWindow).nanoseconds)
            // A reading after the end of the window would average over more than the window.
            span = runs[run].windowStart + window - now.instant
        }
        guard left >= 0 else { return .zero }
        if left < .max { span = min(span, TimeSpan(nanoseconds: left / Int64(limits.cores))) }
        return max(limits.metersMemory ? min(span, Self.memoryMeterSpan) : span, Self.shortestMeterSpan)
    }

    /// Reads the worker within `span`. An earlier deadline stays: it reads and sets the next one.
    mutating func scheduleMeter(of worker: WorkerIndex, within span: TimeSpan) {
        guard span.nanoseconds < Int64.max, workers[worker].stillness == nil else { return }
        let time = now.instant + span
        if workerDeadlines[worker] > time { workerDeadlines.set(worker, to: time) }
    }

    /// The smallest memory budget of the runs in it bounds the tree: one with this budget has joined them.
    mutating func boundMemory(of worker: WorkerIndex, by memory: ByteCount) {
        setMemory(
            of: worker, to: workers[worker].runs.count == 1 ? memory : min(memory, workers[worker].memoryLimit))
    }

    /// One with this budget has left them: the others may have more room. Without a run the limit stays; the next run
    /// sets its own.
    mutating func unboundMemory(of worker: WorkerIndex, by memory: ByteCount) {
        guard memory == workers[worker].memoryLimit, workers[worker].phase != .killing,
            var run = workers[worker].runs.first
        else { return }
        var limit = ByteCount(bytes: .max)
        while true {
            limit = min(limit, runs[run].rules.memory)
            // Mostly the next best one has the same budget.
            guard limit > memory, let next = runs.next(after: run) else { break }
            run = next
        }
        setMemory(of: worker, to: limit)
    }

    private mutating func setMemory(of worker: WorkerIndex, to limit: ByteCount) {
        guard limit != workers[worker].memoryLimit else { return }
        workers[worker].memoryLimit = limit
        actions.append(.effect(.limitMemory(workers.handle(worker), limit)))
    }
}
