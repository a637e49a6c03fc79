/// The names that the two cgroup versions give to the same things of the memory controller.
struct MemoryInterface: Sendable {
    let limit: String
    /// Version 2 limits swap alone, version 1 the sum of memory and swap.
    let swapLimit: String
    let swapIsIncluded: Bool
    let current: String
    let peak: String
    /// The text to write to `peak` to reset it.
    let peakReset: String
    /// The file with the counter `oom_kill`.
    let events: String

    static let unified = MemoryInterface(
        limit: "memory.max", swapLimit: "memory.swap.max", swapIsIncluded: false, current: "memory.current",
        peak: "memory.peak", peakReset: "reset", events: "memory.events")
    static let legacy = MemoryInterface(
        limit: "memory.limit_in_bytes", swapLimit: "memory.memsw.limit_in_bytes", swapIsIncluded: true,
        current: "memory.usage_in_bytes", peak: "memory.max_usage_in_bytes", peakReset: "0",
        events: "memory.oom_control")
}
