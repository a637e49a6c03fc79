import Linux
import Setting
import TaskModel

/// An application that a verb makes itself, of programs alone.
enum OwnApplication {
    /// - Parameter refusal: the beginning of the sentence for a user who may not have it so.
    static func make(
        _ definition: ApplicationDefinition, _ configuration: HostConfiguration, refusal: String
    ) throws(Failure) -> InstalledApplication {
        let account: Account?
        do throws(AccountRules.Fault) {
            account = try AccountRules(configuration).account(of: definition)
        } catch {
            throw Failure(
                Outcome.refused.exitStatus,
                "\(refusal)\(error.found), expected \(error.expected); \(error.hint)")
        }
        return InstalledApplication(
            definition: definition, library: nil, tasks: definition.tasks, libraryFolders: [], account: account)
    }
}
