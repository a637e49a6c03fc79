import CLinux

/// The code and constants of this process, as files back them: its program's and its libraries'.
package enum ProgramText {
    /// The machine has less than 1 GiB of memory: what a process holds mapped, and hardly uses any more, counts there.
    package static let isScarce = (ProcessMemory.ofMachine ?? .max) < 1 << 30

    /// Unmaps what was touched of it so far. What is used again is mapped again, from the page cache as a rule: some hundred page
    /// faults, and reads of the disk if memory ran short in between. The C library and the loader are left out, which tracers
    /// may have patched.
    ///
    /// - Returns: how many segments were unmapped.
    @discardableResult
    package static func release() -> Int { Int(clinux_release_text()) }

    /// Notes what is mapped of it so far: `Countdown.waitWithoutText` unmaps that, and asks the loader for nothing then, whose lock a
    /// plugin may have.
    ///
    /// *Thread*: the process has one.
    package static func note() { clinux_note_text() }

    /// Gives what malloc holds in vain back to the kernel.
    package static func trimHeap() { clinux_trim_heap() }
}
