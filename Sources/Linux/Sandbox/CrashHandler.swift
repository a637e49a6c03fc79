import CLinux

/// A crashing process's report, from its signal's handler: one or two frames on its wire.
package enum CrashHandler {
    /// Sets the handlers, and a stack for them in the calling thread. They survive a fork, and report nothing until
    /// armed.
    package static func prepare() { clinux_crash_prepare() }

    /// From now on this process reports its crash on `wire`, in frames of that kind and version. Before any code of a plugin
    /// is mapped.
    ///
    /// - Parameter library: the name of the file that was mapped through a descriptor.
    package static func arm(wire: Int32, kind: UInt8, version: UInt8, library: String) {
        unsafe clinux_crash_arm(wire, kind, version, library)
    }

    /// Calls `body` with a stack for the handlers, for a thread whose own stack overflows.
    package static func withStack(_ body: () -> Void) {
        let stack = unsafe clinux_crash_stack_begin()
        defer { unsafe clinux_crash_stack_end(stack) }
        body()
    }

    /// The run that the calling thread works on; returns the one before. No system call, no allocation.
    package static func setRun(_ run: UInt64) -> UInt64 { clinux_set_thread_run(run) }

    /// The return addresses of the calls that led out of this executable to the calling code: innermost first, `most` at
    /// most, relative to their files. The module is empty if unknown.
    package static func callers(_ most: Int) -> [(module: String, offset: UInt64)] {
        unsafe withUnsafeTemporaryAllocation(of: clinux_code_place_t.self, capacity: most) { places in
            let count = unsafe clinux_callers(places.baseAddress, Int32(places.count))
            return unsafe places[..<Int(count)].map { unsafe (String(cString: $0.path), $0.offset) }
        }
    }
}
