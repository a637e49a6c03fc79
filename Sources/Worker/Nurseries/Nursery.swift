import Confining
import Wire

/// How the workers of a zygote begin: what is prepared before the fork, and what the child then makes of itself.
///
/// *Thread*: for a process with one thread.
protocol Nursery: ~Copyable {
    /// What is made ready for one plan; the child only makes system calls.
    associatedtype Preparation

    /// Changes the calling process permanently: state that a fork inherits.
    init() throws(ConfinementError)

    /// A descriptor of `/dev/null`.
    var null: Int32 { get }

    /// Folders that some application may write: no link there is followed.
    mutating func learn(writable paths: [String])

    /// - Parameter library: the descriptor of the application's library, or -1.
    mutating func prepare(_ plan: LaunchPlan, library: Int32) throws(ConfinementError) -> Preparation

    /// The calling process, a fork of the one that it was made in, is the parent of workers from now on.
    mutating func moveHere()

    /// Continues in the forked child, and exits as a worker does.
    func begin(
        _ prepared: Preparation, _ descriptors: LaunchDescriptors, frame: UnsafeRawBufferPointer, placesItself: Bool)
}
