import TaskModel

// CPU time and memory of a worker's tree, charged to the runs that are in it.
extension Engine {
    /// Never look more often than this.
    private static let shortestMeterSpan = TimeSpan.milliseconds(2)
    /// Where the kernel does not bound memory, it is looked at this often.
    private static let memoryMeterSpan = TimeSpan.milliseconds(100)

    mutating func metered(
        _ worker: WorkerHandle, cpu: TimeSpan, peak: ByteCount, at now: Moment, into actions: inout [Action]
    ) {
        guard isCurrent(worker) else { return }
        let slot = Int(worker.index)
        // A reading may fail and give nothing; time that was used stays used.
        workers[slot].cpu = max(cpu, workers[slot].cpu)
        let beganAnew = peak < workers[slot].peak
        workers[slot].peak = peak
        if workers[slot].memoryAtFirst == nil { workers[slot].memoryAtFirst = peak }
        workers[slot].read = now.instant
        if workers[slot].awaitsReading { beginCharging(worker.index, at: now) }
        guard workers[slot].phase == .ready else { return }
        if workers[slot].runs == 0 {
            watchIdle(worker.index, at: now, into: &actions)
            return
        }
        var next = TimeSpan(nanoseconds: .max)
        var candidate = workers[slot].first
        while let index = candidate {
            candidate = runs[Int(index)].next
            guard runs[Int(index)].isActive else { continue }
            if beganAnew { runs[Int(index)].peakAtStart = ByteCount(bytes: 0) }
            if limits.metersMemory && peak > max(runs[Int(index)].peakAtStart, runs[Int(index)].rules.memory) {
                kill(for: index, as: .exceededMemory, at: now, into: &actions)
                return
            }
            next = min(next, meterSpan(of: index, at: now))
            if next <= .zero {
                kill(for: index, as: .exceededCPU, at: now, into: &actions)
                return
            }
        }
        scheduleMeter(of: worker.index, within: min(next, nextStarvationLook(at: worker.index)), at: now)
    }

    /// How often a tree that ran out of memory is looked at again, and the span before the first look.
    private static let starvationLooks: UInt8 = 8
    private static let starvationSpan = TimeSpan.milliseconds(1)

    /// Version 1 announces a shortage before it kills (mem_cgroup_oom() notifies first), and says nothing after: the tree is
    /// read again for a quarter of a second.
    mutating func memoryRanOut(_ worker: WorkerHandle, at now: Moment) {
        guard isCurrent(worker), workers[Int(worker.index)].phase == .ready, workers[Int(worker.index)].runs > 0 else {
            return
        }
        workers[Int(worker.index)].starvationLooks = Self.starvationLooks
        scheduleMeter(of: worker.index, within: Self.starvationSpan, at: now)
    }

    private mutating func nextStarvationLook(at worker: UInt32) -> TimeSpan {
        guard workers[Int(worker)].starvationLooks > 0 else { return TimeSpan(nanoseconds: .max) }
        let done = Self.starvationLooks - workers[Int(worker)].starvationLooks
        workers[Int(worker)].starvationLooks -= 1
        return TimeSpan(nanoseconds: Self.starvationSpan.nanoseconds << Int64(done))
    }

    /// The reading that was asked for when runs were started.
    private mutating func beginCharging(_ worker: UInt32, at now: Moment) {
        workers[Int(worker)].awaitsReading = false
        var candidate = workers[Int(worker)].first
        while let index = candidate {
            candidate = runs[Int(index)].next
            guard runs[Int(index)].awaitsReading else { continue }
            runs[Int(index)].awaitsReading = false
            chargeFromNow(index, in: worker, at: now)
        }
    }

    /// The run is charged what the tree uses beyond the last reading.
    mutating func chargeFromNow(_ index: UInt32, in worker: UInt32, at now: Moment) {
        runs[Int(index)].cpuAtStart = workers[Int(worker)].cpu
        runs[Int(index)].peakAtStart = workers[Int(worker)].peak
        runs[Int(index)].windowStart = now.instant
        runs[Int(index)].cpuAtWindow = workers[Int(worker)].cpu
    }

    /// How long the run's CPU allowance lasts at the very least; zero or less when it is gone. Moves the monitor's
    /// window on when that has passed.
    mutating func meterSpan(of index: UInt32, at now: Moment) -> TimeSpan {
        guard let worker = runs[Int(index)].worker else { return .zero }
        let cpu = workers[Int(worker)].cpu
        let rules = runs[Int(index)].rules
        var left = Int64.max
        var span = TimeSpan(nanoseconds: .max)
        if let budget = rules.cpuTime {
            left = budget.nanoseconds - (cpu - runs[Int(index)].cpuAtStart).nanoseconds
        }
        if rules.isMonitored && isInFront(worker) {
            runs[Int(index)].awaitsWindow = true
        } else if rules.isMonitored {
            if runs[Int(index)].awaitsWindow {
                runs[Int(index)].awaitsWindow = false
                runs[Int(index)].windowStart = now.instant
                runs[Int(index)].cpuAtWindow = cpu
            }
            let (window, share) = (limits.profile.cpuMonitorWindow, limits.profile.cpuMonitorShare)
            let passed = now.instant - runs[Int(index)].windowStart
            if passed >= window {
                let used = cpu - runs[Int(index)].cpuAtWindow
                if used.seconds > passed.seconds * share { return .zero }
                runs[Int(index)].windowStart = now.instant
                runs[Int(index)].cpuAtWindow = cpu
            }
            let allowance = Int64(window.seconds * share * 1e9)
            left = min(left, allowance - (cpu - runs[Int(index)].cpuAtWindow).nanoseconds)
            // A look later than the end of the window would average over more than the window.
            span = runs[Int(index)].windowStart + window - now.instant
        }
        guard left >= 0 else { return .zero }
        if left < .max { span = min(span, TimeSpan(nanoseconds: left / Int64(limits.cores))) }
        return max(limits.metersMemory ? min(span, Self.memoryMeterSpan) : span, Self.shortestMeterSpan)
    }

    /// Looks at the worker within `span`. A deadline that is due sooner stays: it will look and set the next one.
    mutating func scheduleMeter(of worker: UInt32, within span: TimeSpan, at now: Moment) {
        guard span.nanoseconds < Int64.max else { return }
        let time = now.instant + span
        if workerDeadlines[worker] > time { workerDeadlines.set(worker, to: time) }
    }

    /// The smallest memory budget of the runs in it bounds the tree: one with this budget has joined them.
    mutating func boundMemory(of worker: UInt32, by memory: ByteCount, into actions: inout [Action]) {
        let slot = Int(worker)
        setMemory(
            of: worker, to: workers[slot].runs == 1 ? memory : min(memory, workers[slot].memoryLimit), into: &actions)
    }

    /// One with this budget has left them: the others may have more room. Without a run the limit stays; the next run
    /// sets its own.
    mutating func unboundMemory(of worker: UInt32, by memory: ByteCount, into actions: inout [Action]) {
        let slot = Int(worker)
        guard memory == workers[slot].memoryLimit, workers[slot].phase != .killing, var candidate = workers[slot].first
        else { return }
        var limit = ByteCount(bytes: .max)
        while true {
            limit = min(limit, runs[Int(candidate)].rules.memory)
            // Mostly the next best one has the same budget.
            guard limit > memory, let next = runs[Int(candidate)].next else { break }
            candidate = next
        }
        setMemory(of: worker, to: limit, into: &actions)
    }

    private mutating func setMemory(of worker: UInt32, to limit: ByteCount, into actions: inout [Action]) {
        guard limit != workers[Int(worker)].memoryLimit else { return }
        workers[Int(worker)].memoryLimit = limit
        actions.append(.limitMemory(handle(ofWorker: worker), limit))
    }
}
