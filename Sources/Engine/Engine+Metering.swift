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
        workers[slot].cpu = max(cpu, workers[slot].cpu)
        workers[slot].peak = peak
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
            if limits.metersMemory && peak > tasks[Int(runs[Int(index)].task)].memory {
                kill(for: index, as: .exceededMemory, at: now, into: &actions)
                return
            }
            next = min(next, meterSpan(of: index, cpu: cpu, at: now))
            if next <= .zero {
                kill(for: index, as: .exceededCPU, at: now, into: &actions)
                return
            }
        }
        scheduleMeter(of: worker.index, within: next, at: now)
    }

    /// How long the run's CPU allowance lasts at the very least; zero or less when it is gone. Moves the monitor's
    /// window on when that has passed.
    mutating func meterSpan(of index: UInt32, cpu: TimeSpan, at now: Moment? = nil) -> TimeSpan {
        let rules = tasks[Int(runs[Int(index)].task)]
        var left = Int64.max
        if let budget = rules.cpuTime {
            left = budget.nanoseconds - (cpu - runs[Int(index)].cpuAtStart).nanoseconds
        }
        if rules.isMonitored {
            let profile = limits.profile
            if let now, now.instant - runs[Int(index)].windowStart >= profile.cpuMonitorWindow {
                let used = cpu - runs[Int(index)].cpuAtWindow
                let share = used.seconds / (now.instant - runs[Int(index)].windowStart).seconds
                if share > profile.cpuMonitorShare { return .zero }
                runs[Int(index)].windowStart = now.instant
                runs[Int(index)].cpuAtWindow = cpu
            }
            let allowance = Int64(profile.cpuMonitorWindow.seconds * profile.cpuMonitorShare * 1e9)
            left = min(left, allowance - (cpu - runs[Int(index)].cpuAtWindow).nanoseconds)
        }
        guard left > 0 else { return .zero }
        let span = TimeSpan(nanoseconds: left == .max ? .max : left / Int64(limits.cores))
        return max(limits.metersMemory ? min(span, Self.memoryMeterSpan) : span, Self.shortestMeterSpan)
    }

    /// Looks at the worker within `span`. A deadline that is due sooner stays: it will look and set the next one.
    mutating func scheduleMeter(of worker: UInt32, within span: TimeSpan, at now: Moment) {
        guard span.nanoseconds < Int64.max else { return }
        let time = now.instant + span
        if workerDeadlines[worker] > time { workerDeadlines.set(worker, to: time) }
    }

    /// The smallest memory budget of the runs in it bounds the tree.
    mutating func boundMemory(of worker: UInt32, by memory: ByteCount, into actions: inout [Action]) {
        let slot = Int(worker)
        let limit = workers[slot].runs == 1 ? memory : min(memory, workers[slot].memoryLimit)
        guard limit != workers[slot].memoryLimit else { return }
        workers[slot].memoryLimit = limit
        actions.append(.limitMemory(handle(ofWorker: worker), limit))
    }
}
