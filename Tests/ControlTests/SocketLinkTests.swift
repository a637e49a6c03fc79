import CLinux
import Control
import Foundation
import Glibc
import Linux
import Testing

@Suite("A socket outside of the state folder")
struct SocketLinkTests {
    private let folder: String
    private var link: String { folder + "/state/control.sock" }

    init() throws {
        folder = try FileSystem.makeTemporaryFolder("/tmp/taskhost-link-")
        try FileSystem.makeFolders(folder + "/state", mode: 0o700)
    }

    private func remove() { try? FileSystem.removeTree(folder) }

    private func listen(_ name: String) throws -> Descriptor {
        Descriptor(adopting: try check(clinux_unix_listen(folder + "/" + name, 0o600, 8), "bind"))
    }

    @Test("is found by a link in the state folder, which is removed with it and replaces an old one")
    func links() throws {
        defer { remove() }
        let first = try ControlSocket.take(try listen("a.sock"), forState: folder + "/state")
        #expect(FileSystem.realPath(link) == folder + "/a.sock")
        // A host that was killed left it: the next one has another socket.
        let second = try ControlSocket.take(try listen("b.sock"), forState: folder + "/state")
        #expect(FileSystem.realPath(link) == folder + "/b.sock")
        second.close()
        #expect(access(link, F_OK) != 0 && access(folder + "/b.sock", F_OK) == 0)
        first.close()
    }

    @Test("gives way to a socket of the host's own")
    func givesWay() throws {
        defer { remove() }
        #expect(symlink(folder + "/gone.sock", link) == 0)
        let socket = try ControlSocket.open(inState: folder + "/state")
        #expect(try FileSystem.facts(ofPath: link).isSocket)
        socket.close()
    }

    @Test("has no link when it is in the state folder already, or has no name")
    func none() throws {
        defer { remove() }
        let own = try ControlSocket.take(try listen("state/control.sock"), forState: folder + "/state")
        #expect(try FileSystem.facts(ofPath: link).isSocket)
        own.close()
        #expect(try FileSystem.facts(ofPath: link).isSocket, "systemd's file stays")
        #expect(unlink(link) == 0)
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let nameless = try ControlSocket.take(Descriptor(adopting: number), forState: folder + "/state")
        #expect(access(link, F_OK) != 0)
        nameless.close()
    }
}
