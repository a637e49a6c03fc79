import CLinux
import Glibc

/// A program that this process has started, and has to reap.
package struct ChildProcess: ~Copyable, Sendable {
    package let pid: Int32
    package let handle: ProcessHandle

    /// Starts `executable` with no signal blocked, with the descriptors below `first` and `descriptors`, from `first` on.
    ///
    /// - Parameters:
    ///   - arguments: the first is its name.
    ///   - environment: `NAME=value`; nothing else is passed on.
    ///   - folder: its working folder; nil: this process's.
    ///   - descriptors: copied; the caller keeps its own.
    package init(
        _ executable: String, _ arguments: [String], environment: [String], in folder: String? = nil,
        descriptors: [Int32], from first: Int32 = 3
    ) throws(SystemError) {
        // Copies above the numbers that the child gets.
        let copies = try DescriptorBundle(copying: descriptors, above: 16)
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        let pid = try unsafe check(
            clinux_spawn(
                executable, words, variables, folder, copies.numbers, Int32(copies.numbers.count), first),
            "posix_spawn",
            executable)
        do throws(SystemError) {
            handle = try ProcessHandle(opening: pid)
        } catch {
            ProcessHandle.signal(pid: pid, .SIGKILL)
            _ = Self.wait(pid)
            throw error
        }
        self.pid = pid
    }

    package borrowing func kill() { try? handle.signal(.SIGKILL) }

    /// Waits for its end, after which its number may be reused. nil: other code has reaped it.
    @discardableResult
    package borrowing func wait() -> ProcessEnd? { Self.wait(pid) }

    private static func wait(_ pid: Int32) -> ProcessEnd? {
        var end = clinux_exit_t()
        return unsafe clinux_wait(pid, &end) < 0 ? nil : ProcessEnd(end)
    }
}
