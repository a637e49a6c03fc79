import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("A delegated scope")
struct DelegatedScopeTests {
    /// systemd's manager, played on its own socket, and the calls it received.
    private final class Manager {
        let folder: Folder
        private let program: Program
        var socket: String { folder.path + "/private" }

        init(_ mode: String) throws {
            folder = try Folder()
            let script = Places.fixtures.appending(path: "Systemd/manager.py").path
            // Debian's own: it has the bindings.
            program = try Program("/usr/bin/python3", [script, folder.path + "/private", mode])
            try program.wait(forText: "ready")
        }

        /// Each call is printed before it is answered.
        func calls(_ count: Int) throws -> [String] {
            try program.wait(forText: "\n", count: count + 1)
            return program.output.split(separator: "\n").dropFirst().map(String.init)
        }
    }

    private func enter(_ manager: Manager, patience: TimeSpan = .seconds(30)) throws(SystemdManager.Fault) {
        try DelegatedScope.enter("taskhost-1f", process: 4711, socket: manager.socket, patience: patience)
    }

    @Test("is asked for with the process and all controllers")
    func asked() throws {
        let manager = try Manager("done")
        try enter(manager)
        let calls = try manager.calls(1)
        #expect(calls.count == 1)
        let call = calls[0]
        #expect(call.hasPrefix("StartTransientUnit ('taskhost-1f.scope', 'fail', ["), "\(call)")
        #expect(call.contains("('PIDs', <[uint32 4711]>)"), "\(call)")
        #expect(call.contains("('Delegate', <true>)"), "\(call)")
        #expect(call.contains("('CollectMode', <'inactive-or-failed'>)"), "\(call)")
    }

    @Test("of a dead host is killed and taken again")
    func leftover() throws {
        let manager = try Manager("exists")
        try enter(manager)
        let calls = try manager.calls(4)
        let methods = calls.map { String($0.prefix { $0 != " " }) }
        #expect(methods == ["StartTransientUnit", "KillUnit", "StopUnit", "StartTransientUnit"])
        #expect(calls.contains("KillUnit ('taskhost-1f.scope', 'all', 9)"), "\(calls)")
    }

    @Test("that is refused is reported in systemd's words")
    func refused() throws {
        let manager = try Manager("refused")
        #expect(
            throws: SystemdManager.Fault(name: "org.freedesktop.DBus.Error.AccessDenied", sentence: "not for you")
        ) { try enter(manager) }
    }

    @Test("whose job fails is reported")
    func failed() throws {
        let manager = try Manager("failed")
        #expect(throws: SystemdManager.Fault(name: nil, sentence: "systemd ended StartTransientUnit as failed")) {
            try enter(manager)
        }
    }

    @Test("is not waited for longer than the patience")
    func silent() throws {
        let manager = try Manager("silent")
        let fault = #expect(throws: SystemdManager.Fault.self) {
            try enter(manager, patience: .milliseconds(300))
        }
        #expect(fault?.sentence.isEmpty == false)
    }

    @Test("is a fault at once where no process listens")
    func absent() throws {
        let folder = try Folder()
        let fault = #expect(throws: SystemdManager.Fault.self) {
            try DelegatedScope.enter("taskhost-1f", process: 4711, socket: folder.path + "/private")
        }
        #expect(fault?.name == nil)
    }
}
