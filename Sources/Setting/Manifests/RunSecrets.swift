package import Linux
import Manifests
package import TaskModel

/// The files that a run is given as its manifest names them: opened for it alone, with the host's rights. Those are the
/// manifest's: it belongs to root or to the host's user, or it is not read.
package enum RunSecrets {
    /// Why a run cannot have its secrets.
    package struct Fault: Error {
        var secret: TaskSecret
        var error: SystemError

        package var sentence: String {
            "the secret \(secret.name) cannot be handed over; \(secret.path): \(reason.found); \(reason.remedy)"
        }

        fileprivate var reason: (found: String, remedy: String) {
            switch (error.call, error.code) {
            case ("kind", _): ("it is not a regular file", "put the text into one")
            case ("links", _):
                ("it has another name as well, by which others may have chosen it", "copy it instead of linking it")
            case ("mode", _): ("others than its owner and group may use it", "chmod o= it")
            case ("size", _): ("it has more than \(SecretFile.most) bytes", "name a smaller file")
            case (_, .ELOOP): ("there is a symbolic link on its way", "name its real place")
            case (_, .ENOENT), (_, .ENOTDIR): ("it does not exist", "put it there")
            default: ("\(error.code)", "see its rights and those of its folders")
            }
        }
    }

    /// Copies of the files as they are now; nil: the task has none.
    package static func copies(of secrets: [TaskSecret], manifestFolder: String) throws(Fault) -> DescriptorBundle? {
        guard !secrets.isEmpty else { return nil }
        var numbers: [Int32] = []
        for secret in secrets {
            do throws(SystemError) {
                numbers.append(try SecretFile.copy(path(of: secret, manifestFolder), name: "taskhost-secret").take())
            } catch {
                _ = DescriptorBundle(adopting: numbers)
                throw Fault(secret: secret, error: error)
            }
        }
        return DescriptorBundle(adopting: numbers)
    }

    /// Why a run that starts now would be refused. No text is read: a few system calls each.
    package static func faults(of secrets: [TaskSecret], manifestFolder: String) -> [Fault] {
        secrets.compactMap { secret in
            do throws(SystemError) {
                try SecretFile.examine(path(of: secret, manifestFolder))
                return nil
            } catch {
                return Fault(secret: secret, error: error)
            }
        }
    }

    /// The same in sentences, by task.
    package static func sentences(of application: ApplicationDefinition) -> [(identifier: String, sentence: String)] {
        application.tasks.flatMap { task in
            faults(of: task.secrets, manifestFolder: application.manifestFolder).map { (task.identifier, $0.sentence) }
        }
    }

    /// The same for a check of the manifest: its tasks cannot run as things are. For another user than root one that this
    /// process may not read is a warning, because its host may be somebody else's.
    static func diagnostics(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        application.tasks.flatMap { task in
            faults(of: task.secrets, manifestFolder: application.manifestFolder).map { fault in
                let path = "$.tasks[\"\(task.identifier)\"].secrets.\(fault.secret.name)"
                let isUncertain = !ThisProcess.isRoot && fault.error.code == .EACCES
                return Diagnostic(
                    severity: isUncertain ? .warning : .futile, file: application.manifestPath,
                    position: places.position(of: path), path: path,
                    found: "\"\(fault.secret.path)\": \(fault.reason.found)",
                    expected: "a file that can be handed over; without it each run of the task is refused",
                    hint: fault.reason.remedy)
            }
        }
    }

    private static func path(of secret: TaskSecret, _ manifestFolder: String) -> String {
        GrantVariables.expand(secret.path, [("$MANIFEST", manifestFolder)])
    }
}
