import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A machine that refuses openat2")
struct RefusedCallTests {
    /// Becomes the program under a filter that answers openat2 (437 everywhere) with an error, as containers' do.
    private static func filter(_ code: Int32) -> String {
        """
        import ctypes, os, struct, sys
        rules = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | \(code)), (0x06, 0, 0, 0x7FFF0000)]
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
        program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
        try: os.close(libc.syscall(437, -100, b"/", None, 0))
        except OSError: pass
        os.execv(sys.argv[1], sys.argv[1:])
        """
    }

    @Test("runs tasks all the same, and follows no link out of a folder", arguments: [ENOSYS, EPERM])
    func runs(_ code: Int32) throws {
        let station = try Station()
        let manifest = try station.add(fixture: "fixtures.noop")
        let task = manifest.tasks[0]
        station.starter = ["/usr/bin/python3", "-c", Self.filter(code)]
        let report = try station.run(task)
        #expect(report.command.status == 0 && report[task]?.outcome == "succeeded", "\(report.command)")
        // The manifest itself leads out of its folder.
        let place = station.manifestFolder.appending(path: "\(manifest.identifier).json")
        let outside = station.folder.file("outside.json")
        try FileManager.default.moveItem(at: place, to: outside)
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: outside)
        let refused = try station.run(task)
        #expect(refused.command.errors.contains("a symbolic link leads out of"), "\(refused.command)")
        station.expectNothingLeft()
    }
}
