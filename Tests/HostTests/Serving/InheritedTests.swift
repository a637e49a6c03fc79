import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("A restart after a kill")
struct InheritedTests {
    /// Lets every child that the program starts wait between fork and exec, with all that it inherited, until it is killed.
    private static let lingering = """
        #include <fcntl.h>
        #include <spawn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>

        int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
            pid_t child = fork();
            if (child == 0) {
                FILE *file = fopen(getenv("TASKHOST_TEST_CHILD"), "we");
                fprintf(file, "%d\\n", getpid());
                fclose(file);
                sleep(600);
                _exit(0);
            }
            waitpid(child, NULL, 0);
            *pid = child;
            return 0;
        }
        """

    @Test(
        "needs nothing that a child of the dead host still holds",
        .enabled(if: !Places.isSanitized, "a sanitizer's library has to be loaded first"))
    func inherited() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.noop").tasks[0]
        let library = station.folder.file("liblinger.so").path
        let source = try station.folder.write("linger.c", Self.lingering).path
        #expect(try Command.run("cc", ["-shared", "-fPIC", "-o", library, source]).succeeded)
        let note = station.folder.file("child")
        let doomed = try station.start(
            ["serve"], environment: ["LD_PRELOAD": library, "TASKHOST_TEST_CHILD": note.path])
        try doomed.wait(forText: "taskhost: serving ")
        // Its first run needs a zygote. The host waits for that child, as vfork(2) has it, and does not answer.
        let asking = try station.start(["run", task], manifests: false)
        let child = try #require(try Self.number(in: note))
        defer { kill(child, SIGKILL) }
        try doomed.signal(SIGKILL)
        _ = try doomed.finish()

        let next = try Daemon(station)
        #expect(ProcessStatus(of: child)?.isAlive == true, "the child has everything still")
        let run = try station.start(["run", task], manifests: false).finish()
        #expect(run.succeeded, "\(run)")
        kill(child, SIGKILL)
        // The child had its connection as well.
        _ = try asking.finish()
        #expect(try next.stop().status == 0)
        station.expectNothingLeft()
    }

    private static func number(in file: URL) throws -> Int32? {
        var patience = Patience()
        while patience.milliseconds() != nil {
            if let text = try? String(contentsOf: file, encoding: .utf8), text.hasSuffix("\n") {
                return Int32(text.dropLast())
            }
            usleep(10_000)
        }
        return nil
    }
}
