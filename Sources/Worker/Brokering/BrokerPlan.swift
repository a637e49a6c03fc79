import Linux
import Wire

/// What a broker has to know, in a file in memory: the launch plan of its application. A worker has one run, and so one broker.
final class BrokerPlan {
    let file: Descriptor
    /// The broker tells of what is refused.
    let explains: Bool

    /// Before the worker's limits are set: that of files holds for those in memory too.
    ///
    /// - Throws: E2BIG for a plan that is too long for a frame, and what a file in memory lacks.
    init(_ plan: LaunchPlan) throws(SystemError) {
        var frame = FrameWriter(.launch)
        plan.write(to: &frame)
        guard let bytes = frame.finished() else { throw SystemError("the plan of a broker", code: .E2BIG) }
        file = try MemoryFile.sealed(bytes, name: "broker")
        explains = plan.explains
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
