import Linux
import Wire

/// What a broker has to know, in a file in memory: the launch plan of its application.
enum BrokerPlan {
    /// - Throws: E2BIG for a plan that is too long for a frame, and what a file in memory lacks.
    static func file(_ plan: LaunchPlan) throws(SystemError) -> Descriptor {
        var frame = FrameWriter(.launch)
        plan.write(to: &frame)
        guard let bytes = frame.finished() else { throw SystemError("the plan of a broker", code: .E2BIG) }
        return try MemoryFile.sealed(bytes, name: "broker")
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
