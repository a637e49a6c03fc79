/// A system call of another process that waits for its answer (seccomp_unotify(2)).
package struct SystemCallNotice: Sendable, BitwiseCopyable {
    package var id: UInt64
    /// The thread that makes it.
    package var thread: Int32
    package var number: Int32
    package var arguments: InlineArray<6, UInt64>
}
