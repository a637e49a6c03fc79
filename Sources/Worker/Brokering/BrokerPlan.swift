import Linux
import Wire

/// What a broker has to know: the launch plan of its application, in a file in memory, and Landlock's rules. A worker has one run, and
/// so one broker.
final class BrokerPlan {
    private let file: Descriptor
    /// nil: the machine has no Landlock.
    private let rules: Descriptor?
    /// The broker tells of what is refused.
    let explains: Bool

    /// Before the worker's limits are set: that of files holds for those in memory too.
    ///
    /// - Throws: E2BIG for a plan that is too long for a frame, and what a file in memory lacks.
    init(_ plan: LaunchPlan, rules: consuming Descriptor?) throws(SystemError) {
        var frame = FrameWriter(.launch)
        plan.write(to: &frame)
        guard let bytes = frame.finished() else { throw SystemError("the plan of a broker", code: .E2BIG) }
        file = try MemoryFile.sealed(bytes, name: "broker")
        self.rules = rules
        explains = plan.explained == .programs
    }

    /// What a broker gets, in this order: the plan, the rules, the socket that it tells of refusals by, where there is none the plan
    /// again, and the pipe that it reads the program's variables from. Those are not its own: it is not confined, and a variable
    /// such as LD_PRELOAD (ld.so(8)), which the manifest or a file of the program's may set, would bring code into it.
    func descriptors(report: Int32?, variables: Int32) -> [Int32] {
        [file.number, rules.number ?? file.number, report ?? file.number, variables]
    }

    /// Bytes of all variables together: more than execve(2) takes (ARG_MAX).
    private static let mostVariables = 4 << 20

    /// `NAME=value`, as they come through the pipe.
    static func variables(from number: Int32) throws(BrokerFault) -> [String] {
        let pipe = Descriptor(adopting: number)
        do throws(SystemError) {
            return try FileSystem.read(pipe, limit: mostVariables, naming: "a pipe").split(separator: 0).map {
                String(decoding: $0, as: UTF8.self)
            }
        } catch {
            throw BrokerFault(sentence: "its program's variables cannot be read: \(error)")
        }
    }

    /// Reads the file, and closes it.
    static func take(_ number: Int32) throws(BrokerFault) -> LaunchPlan {
        let file = Descriptor(adopting: number)
        do throws(SystemError) {
            let bytes = try FileSystem.read(file, limit: FrameHeader.maximumFrame, naming: "the plan")
            return try read(bytes)
        } catch {
            throw BrokerFault(sentence: "its plan cannot be read: \(error)")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(SystemError) -> LaunchPlan {
        do {
            return try unsafe bytes.withUnsafeBytes { frame in
                _ = try unsafe FrameHeader(reading: frame)
                var reader = unsafe FrameReader(body: frame)
                return try LaunchPlan(from: &reader)
            }
        } catch {
            throw SystemError("\(error)", code: .EINVAL, object: "the plan")
        }
    }
}
