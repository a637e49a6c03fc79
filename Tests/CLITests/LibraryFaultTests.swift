import Foundation
import Testing

@Suite("A library", .plainBuild)
struct LibraryFaultTests {
    /// A manifest folder whose library is `m/libx.so`.
    private func folder(handler: String = "succeed", _ bytes: Data?) throws -> Folder {
        let folder = try Folder()
        try folder.write("m/com.example.cli.json", try Plugin.manifest(handler: handler, library: "libx.so"))
        if let bytes { try folder.write("m/libx.so", bytes) }
        return folder
    }

    private var good: Data { get throws { try Data(contentsOf: Plugin.library) } }

    /// `validate` and `run` agree, and neither starts anything.
    private func expect(_ words: [String], _ folder: Folder) throws {
        try Tool.run("validate", folder.file("m").path).expectSentence(words, status: 65)
        try folder.run().expectSentence(words, status: 65)
    }

    @Test("that is missing is reported with the line that names it")
    func missing() throws {
        try expect([".json:3:14: $.library: found \"libx.so\", which is not there"], folder(nil))
    }

    @Test("that is no ELF file is reported")
    func notELF() throws {
        try expect(["libx.so, which is not an ELF file", "a shared library is expected"], folder(Data("hello".utf8)))
        try expect(["libx.so, which is empty"], folder(Data()))
        try expect(["libx.so, which ends within its"], folder(try good.prefix(100)))
    }

    @Test("for another machine is reported with both names")
    func otherMachine() throws {
        var bytes = try good
        bytes[18] = 0x15  // e_machine: PowerPC 64 (elf(5))
        bytes[19] = 0
        try expect(["which is for powerpc64", "this machine is"], folder(bytes))
    }

    @Test("without the symbol is reported, with the handler's line")
    func noSymbol() throws {
        try expect(
            [".json:7:18: $.tasks[\"com.example.cli\"].handler", "\"absent\", which", "does not export", "nm -D"],
            folder(handler: "absent", try good))
    }

    @Test("that others may write, itself or its folder, is reported")
    func writable() throws {
        let file = try folder(try good)
        try file.setMode(0o777, of: "m/libx.so")
        try expect(["can be written by others (mode 777)", "chmod go-w"], file)
        let around = try Folder()
        try around.write("lib/libx.so", try good)
        try around.setMode(0o777, of: "lib")
        try around.write(
            "m/com.example.cli.json", try Plugin.manifest(library: around.file("lib/libx.so").path))
        try expect(["its folder", "can be written by others (mode 777)"], around)
    }

    @Test("whose digest is not the pinned one is reported with its digest")
    func digest() throws {
        let folder = try folder(try good)
        let pin = String(repeating: "0", count: 64)
        try folder.write(
            "m/com.example.cli.json",
            try Plugin.manifest(library: "libx.so", more: "\n  \"sha256\": \"\(pin)\","))
        try expect(["$.sha256: found another digest", "if the library is the right one, write this"], folder)
    }

    @Test("that does not load refuses the run, and says why")
    func unresolved() throws {
        let folder = try Folder()
        try folder.makeFolder("m")
        try Plugin.compile(
            "#include <taskhost.h>\nvoid nowhere(void);\nvoid succeed(taskhost_task_t *t) { nowhere(); }",
            to: folder.file("m/libx.so"))
        try folder.write("m/com.example.cli.json", try Plugin.manifest(library: "libx.so"))
        #expect(try Tool.run("validate", folder.file("m").path).status == 0, "only loading shows it")
        let tool = try folder.run()
        #expect(tool.status == 17)
        #expect(tool.output.contains("refused"))
        #expect(tool.errors.contains("undefined symbol: nowhere"), "\(tool.errors)")
        tool.expectSentence(["com.example.cli was refused", "see taskhost show"], status: 17)
    }
}
