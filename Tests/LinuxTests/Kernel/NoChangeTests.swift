import CLinux
import Glibc
import Linux
import Testing

/// 4294967295 is no user and no group: to the kernel it means that there is no change.
@Suite("The number that means no change")
struct NoChangeTests {
    @Test("is refused as an identity to take, before anything changes", arguments: ["user", "group"])
    func becoming(_ who: String) async {
        // A separate process, in case it does change its identity.
        await #expect(processExitsWith: .success) { [who = who as String] in
            let groups = getgroups(0, nil)
            let error = #expect(throws: SystemError.self) {
                try Sandbox.become(user: who == "user" ? .max : 7, group: who == "group" ? .max : 7)
            }
            #expect(error?.code == .EINVAL)
            #expect(error?.call == (who == "user" ? "setresuid 4294967295" : "setresgid 4294967295"))
            let groupsNow = getgroups(0, nil)
            #expect(getegid() == ThisProcess.group && geteuid() == ThisProcess.user && groupsNow == groups)
        }
    }

    @Test("is refused as an identity to open a file with", arguments: ["user", "group"])
    func opening(_ who: String) async {
        await #expect(processExitsWith: .success) { [who = who as String] in
            let (user, group) = (who == "user" ? UInt32.max : 7, who == "group" ? UInt32.max : 7)
            #expect(clinux_open_as(user, group, "/", "etc/hostname") == -EINVAL)
        }
    }
}
