import Testing

@testable import Setting

@Suite("A host asks for a scope")
struct ScopeWishTests {
    @Test(
        "from a shell, not from a service",
        arguments: [
            ("/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope", false, true),
            ("/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope", true, true),
            ("/sys/fs/cgroup/system.slice/taskhost.service", false, false),
            ("/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/terminal.service", true, true),
            ("/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/vte-1.scope", false, true),
            ("/sys/fs/cgroup", false, true),
        ])
    func units(_ folder: String, _ hasTerminal: Bool, _ isSensible: Bool) {
        #expect(ScopeWish(folder: folder, hasTerminal: hasTerminal, hasManager: true).isSensible == isSensible)
        #expect(!ScopeWish(folder: folder, hasTerminal: hasTerminal, hasManager: false).isSensible)
        #expect(!ScopeWish(folder: nil, hasTerminal: hasTerminal, hasManager: true).isSensible)
    }

    @Test("or says that the kernel was started without limits of memory, where no scope helps")
    func kernelWithoutMemory() {
        #expect(HostGroups.advice(nil, kernel: "cpuset cpu io pids\n").remedy.contains("cgroup_enable=memory"))
        #expect(HostGroups.advice(nil, kernel: "cpuset cpu io memory pids\n").remedy.contains("Delegate=yes"))
        #expect(HostGroups.advice(nil, kernel: nil).remedy.contains("Delegate=yes"))
    }
}
