import Glibc
import TaskModel
import TestSupport
import Testing

@testable import Fleet

@Suite("Options of a fleet's connection", .serialized)
struct ConnectionOptionsTests {
    private func refusal(_ text: String) -> String {
        do throws(FleetError) {
            _ = try ConnectionOptions(text)
            return "accepted"
        } catch {
            return error.sentence
        }
    }

    @Test("have no password in their text", arguments: ["host=db password=secret", "postgresql://me:secret@db/fleet"])
    func passwords(_ text: String) {
        let sentence = refusal(text)
        #expect(sentence.contains("~/.pgpass") && !sentence.contains("secret"))
    }

    @Test(
        "say what is wrong",
        arguments: [
            ("postgresql://[::1", "cannot be read"), ("hots=db", "invalid connection option \"hots\""),
            ("service=nobody-has-this", "definition of service \"nobody-has-this\" not found"),
            ("host=a,b port=1,2,3", "could not match 3 port numbers to 2 hosts"),
        ])
    func faults(_ text: String, _ words: String) {
        let sentence = refusal(text)
        #expect(sentence.contains(words), "\(sentence)")
        #expect(!sentence.contains("\n"))
    }

    @Test("are complete: a service is read from its file, and no name is looked for")
    func services() throws {
        let folder = try Folder()
        try folder.write("services", "[jobs]\nhost=db.invalid,/run/pg\nport=5433\ndbname=work\n")
        setenv("PGSERVICEFILE", folder.path + "/services", 1)
        defer { unsetenv("PGSERVICEFILE") }
        let options = try ConnectionOptions("service=jobs user=me")
        #expect(options.hosts == ["db.invalid", "/run/pg"] && options.names == ["db.invalid"])
        #expect(
            options.values["port"] == "5433" && options.values["dbname"] == "work" && options.values["user"] == "me")
        #expect(options.values["target_session_attrs"] == "read-write")
        #expect(options.place == "database work at service jobs")
    }

    @Test("get an entry for each address, and lose names without one")
    func addresses() throws {
        let options = try ConnectionOptions("host=one.invalid,two.invalid,127.0.0.1,/run/pg port=1,2,3,4")
        let found = try #require(
            options.resolved(["one.invalid": [try address("10.0.0.1"), try address("fd00::1")], "two.invalid": []]))
        #expect(found.values["host"] == "one.invalid,one.invalid,127.0.0.1,/run/pg")
        #expect(found.values["hostaddr"] == "10.0.0.1,fd00:0:0:0:0:0:0:1,127.0.0.1,")
        #expect(found.values["port"] == "1,1,3,4")
        #expect(found.names.isEmpty)
        #expect(try ConnectionOptions("host=one.invalid").resolved([:]) == nil)
    }

    private func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)) }
}
