public import Foundation

extension TestHost {
    /// Sets a secret of a task: what `BGTask.secret` gives each run that starts from now on. It takes the place of the file that
    /// the manifest's `secrets` name, which the kit does not read: without a call a run has none.
    /// - Parameters:
    ///   - name: as the handler asks for it.
    ///   - identifier: of the task; for a wildcard a concrete one.
    ///   - text: the secret; nil: runs have none of that name.
    /// - Throws: `TestHostError.unknownTask`.
    public func setSecret(_ name: String, of identifier: String, to text: Data?) throws {
        guard let task = core.change({ $0.task(of: identifier) }) else { throw TestHostError.unknownTask(identifier) }
        let bytes = text.map { Array($0) }
        core.change { $0.secrets[task, default: [:]][name] = bytes }
    }
}
