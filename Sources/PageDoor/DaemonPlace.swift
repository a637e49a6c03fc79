import Control
import Linux

/// Where the daemon is. Each connection looks for it anew, so a daemon that was started again is reached.
package struct DaemonPlace: Sendable {
    let folder: String

    package init(_ folder: String) { self.folder = folder }

    /// A connection that does not wait.
    func connect() throws(Problem) -> Descriptor {
        do throws(SystemError) {
            let place = try ControlSocketPlace(folder)
            // The owner of the socket reads the requests: it must be this user or root.
            let facts = try FileSystem.followedFacts(of: place.path)
            guard facts.isSocket, facts.user == ThisProcess.user || facts.user == 0 else {
                throw SystemError("connect", code: .EPERM, object: folder)
            }
            return try Descriptor.connect(to: place.path)
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR, .ECONNREFUSED: throw .unreachable("no host serves this state", folder)
            case .EAGAIN: throw .busy(folder)
            case .EPERM: throw .unreachable("the control socket is none, or belongs to another user", folder)
            default: throw .unreachable("the host cannot be reached: \(error.call): \(error.code)", folder)
            }
        }
    }
}
