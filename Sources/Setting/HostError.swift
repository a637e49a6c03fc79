package import Control
package import Linux
package import Record
package import TaskModel

/// Why the host cannot start or continue. The sentence says what to do.
package enum HostError: Error {
    /// Another host serves the state folder.
    case stateIsHeld(path: String, pid: Int32?)
    /// The state folder cannot be made or written.
    case stateUnusable(path: String, SystemError)
    /// All users may write to the folder.
    case stateIsPublic(path: String)
    /// Another user could replace files on its path.
    case stateIsUntrusted(path: String, FolderFault)
    /// The folder is full of something else.
    case stateIsForeign(path: String)
    /// A folder above the state folder is closed to the users that workers run as.
    case stateUnreachable(path: String, folder: String)
    case store(StoreError)
    /// The record is not there, or empty, and the folder has been used; a file `wish` lets a host begin a new one.
    case recordIsMissing(path: String, wish: String)
    /// Another process has the record open and does not release it; `holder` is a clause about it.
    case recordIsHeld(path: String, holder: String)
    /// The store takes turns and does not make them durable.
    case recordIsSilent(path: String, for: TimeSpan)
    case system(SystemError)
    case workerExecutableMissing(path: String)
    case control(String)
    /// The control socket cannot be made.
    case controlSocket(ControlSocketError)
    /// Nothing can listen where the configuration wants metrics served.
    case metricsPlace(SocketAddress, SystemError)
    /// The file with the token for metrics is not used, with the reason and what to do.
    case metricsToken(String, String)

    package var sentence: String {
        switch self {
        case .stateIsHeld(let path, let pid):
            "another host holds the state folder; \(path); "
                + (pid.map { "it is process \($0): " } ?? "")
                + "wait for it, as for a taskhost run, stop it, restart it if its control socket is gone, or use another folder with --state"
        case .stateUnusable(let path, let error):
            "the state folder cannot be used; \(path): \(error); choose another one with --state"
        case .stateIsPublic(let path):
            "everybody may write into this folder; \(path); name one of the host's own with --state, or make it so with "
                + "chmod o-w"
        case .stateIsUntrusted(let path, let fault): Self.sentence(fault, path)
        case .stateIsForeign(let path):
            "this folder holds files and no record of runs; \(path); name a state folder, an empty folder or a new one with "
                + "--state"
        case .stateUnreachable(let path, let folder):
            "workers run as users of their own and cannot reach the state folder; \(path): \(folder) is closed to others; "
                + "open it for passing through (chmod o+x \(folder)) or use another folder with --state"
        case .store(let error): "\(error)"
        case .recordIsMissing(let path, let wish):
            "the record of runs is missing or empty, and this state folder has been used; \(path); put it or a backup of it "
                + "there, or begin a new record with touch \(wish)"
        case .recordIsHeld(let path, let holder):
            "the record of runs cannot be had alone; \(path): \(holder); end it, or let it close the file, then try again "
                + "(taskhost backup makes a copy to look into)"
        case .recordIsSilent(let path, let span):
            "the record did not take what happened for \(span); \(path); see to its disk or its connection and start again: "
                + "what was answered is recorded"
        case .system(let error): "a system call failed; \(error); free the resource it names and try again"
        case .workerExecutableMissing(let path):
            "taskhost-worker is missing; \(path); keep it beside taskhost or reinstall"
        case .control(let cause):
            "process trees cannot be controlled as configured; \(cause); write \"control\": \"auto\" in the configuration, "
                + "or make it available"
        case .controlSocket(let error): error.sentence
        case .metricsPlace(let place, let error):
            "metrics cannot be served; \(place): \(error); free the port, or change \"metrics\" in the configuration"
        case .metricsToken(let path, let reason): "the token for metrics is not used; \(path): \(reason)"
        }
    }

    private static func sentence(_ fault: FolderFault, _ path: String) -> String {
        switch fault {
        case .system(let error):
            "the state folder cannot be used; \(path): \(error); choose another one with --state"
        case .foreign(let place, let user):
            "the state folder is not safe: \(place) belongs to user \(user), who could put links and files in the host's way; "
                + "\(path); give it to root or to the host's user (chown), or choose another one with --state"
        case .writable(let place, let isByAll):
            "the state folder is not safe: \(isByAll ? "everybody" : "a group") may write into \(place); \(path); take the "
                + "right away (chmod \(isByAll ? "o-w" : "g-w") \(place)), or choose another one with --state"
        }
    }
}

extension HostError {
    /// The value of a system call, whose error becomes the host's.
    package static func rethrowing<Value: ~Copyable>(
        system call: @autoclosure () throws(SystemError) -> Value
    ) throws(HostError) -> Value {
        do throws(SystemError) {
            return try call()
        } catch {
            throw .system(error)
        }
    }

    /// The value of a question to the record, whose error becomes the host's.
    package static func rethrowing<Value>(
        store call: @autoclosure () throws(StoreError) -> Value
    ) throws(HostError) -> Value {
        do throws(StoreError) {
            return try call()
        } catch {
            throw .store(error)
        }
    }
}
