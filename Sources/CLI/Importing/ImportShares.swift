import JSON
import Manifests
import TaskModel

/// Which of several manifests a task goes to: one has a bound of tasks and of bytes.
struct ImportShares {
    private struct Share {
        var part = 0
        var tasks = 0
        var bytes = 0
        /// Each list of them is mailed by a task of its own.
        var recipients: Set<String> = []
    }

    /// The share that is being filled, by the identifier of the user's application.
    private var open: [String: Share] = [:]

    /// For a task's other texts and the manifest's own.
    private static let overhead = 8 << 10

    /// The part that a task belongs to, which then has it.
    mutating func part(of application: ImportedApplication, for command: ProgramCommand, mailedTo recipients: String?)
        -> Int
    {
        var share = open[application.identifier] ?? Share()
        let texts = command.words + command.environment
        let bytes = JSONOutput.array(texts.map(JSONOutput.string)).text().utf8.count + Self.overhead
        let isNewReader = recipients.map { !share.recipients.contains($0) } ?? false
        let tasks = 1 + (isNewReader ? 1 : 0)
        if share.tasks + tasks > ManifestLimits.tasks || share.bytes + bytes > ManifestLimits.fileBytes - Self.overhead
        {
            share = Share(part: share.part + 1)
        }
        share.tasks += 1
        if let recipients, share.recipients.insert(recipients).inserted { share.tasks += 1 }
        share.bytes += bytes
        open[application.identifier] = share
        return share.part
    }
}
