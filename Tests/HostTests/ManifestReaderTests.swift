import Foundation
import Linux
import Manifests
import Setting
import TaskModel
import TestSupport
import Testing

@Suite("Reading manifests in steps")
struct ManifestReaderTests {
    private let folder: TestSupport.Folder
    private let shelf = LibraryShelf()
    private let reader: ManifestReader

    init() throws {
        folder = try TestSupport.Folder()
        for number in 0..<600 { try Self.write(number, to: folder) }
        reader = ManifestReader([folder.path], profile: .modern, shelf: shelf, verifiesDigests: false)
    }

    private static func name(_ number: Int) -> String { "app\(String(format: "%04d", number))" }

    /// An application on a library of the system, which has not changed lately.
    static func write(
        _ number: Int, to folder: TestSupport.Folder, task: String = "work", symbol: String = "zlibVersion"
    ) throws {
        let identifier = "com.example.\(name(number))"
        try folder.write(
            "\(name(number)).json",
            """
            {"identifier": "\(identifier)", "library": "libz.so.1",
             "tasks": {"\(identifier).\(task)": {"kind": "processing", "handler": "\(symbol)"}}}
            """)
    }

    /// Reads to the end; how many files that took, and the most that one step read.
    @discardableResult
    private func read(_ scope: ManifestReader.Scope) -> (files: Int, mostAtOnce: Int) {
        let before = reader.filesRead
        var most = 0
        reader.begin(scope)
        var last = before
        while reader.step() {
            most = max(most, reader.filesRead - last)
            last = reader.filesRead
        }
        return (reader.filesRead - before, most)
    }

    private var catalogue: Catalogue { Catalogue(reader) }

    @Test("reads each file once, one in a step, and a library that all name once, with one descriptor")
    func all() throws {
        let (files, most) = read(.all)
        #expect(files == 600 && most == 1)
        #expect(catalogue.applications.count == 600 && catalogue.fileCount == 600)
        #expect(catalogue.applications.map(\.definition.identifier) == (0..<600).map { "com.example.\(Self.name($0))" })
        #expect(shelf.filesRead == 1 && shelf.openFiles == 1)
        // A page has 4 KiB; the library far more.
        #expect((3..<20).contains(shelf.pagesRead), "\(shelf.pagesRead)")
        #expect(read(.all).files == 600)
        #expect(shelf.filesRead == 1 && shelf.openFiles == 1)
    }

    @Test("gives back what an earlier reading held in portions, as it took it")
    func givesBack() {
        read(.all)
        // Each of the three tables of the check, and both of the reader, is given back in its parts.
        #expect(steps(of: .all) >= 2 * 600 + 5 * SplitTable<Int>.partCount)
        // Of the names in the scope, few are looked for at once.
        let names = Set((0..<600).map { "\(Self.name($0)).json" })
        #expect(steps(of: .names([0: names])) >= 2 * 600 + 600 / 32)
    }

    private func steps(of scope: ManifestReader.Scope) -> Int {
        var steps = 0
        reader.begin(scope)
        while reader.step() { steps += 1 }
        return steps
    }

    @Test("reads the one that was touched, and nothing else")
    func touched() throws {
        read(.all)
        try Self.write(77, to: folder, symbol: "zlibCompileFlags")
        let (files, _) = read(.names([0: ["app0077.json"]]))
        #expect(files == 1)
        #expect(shelf.filesRead == 1)
        #expect(catalogue.applications.count == 600)
        #expect(catalogue.applications[77].tasks[0].handler == .symbol("zlibCompileFlags"))
    }

    @Test("takes in files that came, went, broke, or are none")
    func comeAndGo() throws {
        read(.all)
        try Self.write(600, to: folder)
        try FileManager.default.removeItem(at: folder.file("app0005.json"))
        try folder.write("app0006.json", "{")
        try folder.write(".app0007.json", "{")
        let names: Set = [
            "app0600.json", "app0005.json", "app0006.json", ".app0007.json", "schema.json", "never.json",
        ]
        #expect(read(.names([0: names])).files == 2)
        #expect(catalogue.applications.count == 599)
        #expect(catalogue.applications.last?.definition.identifier == "com.example.app0600")
        #expect(catalogue.diagnostics.count == 1)
        try Self.write(6, to: folder)
        #expect(read(.names([0: ["app0006.json"]])).files == 1)
        #expect(catalogue.applications.count == 600 && catalogue.diagnostics.isEmpty)
    }

    @Test("finds a conflict with a manifest that it does not read, and its end")
    func conflicts() throws {
        read(.all)
        // The first in order keeps the identifier, whenever it came.
        try folder.write(
            "aaaa.json",
            """
            {"identifier": "com.example.first", "library": "libz.so.1",
             "tasks": {"com.example.app0300.work": {"kind": "processing", "handler": "zlibVersion"}}}
            """)
        #expect(read(.names([0: ["aaaa.json"]])).files == 1)
        #expect(catalogue.diagnostics.map(\.file) == [folder.file("app0300.json").path])
        #expect(catalogue.applications.count == 600)
        #expect(!catalogue.applications.contains { $0.definition.identifier == "com.example.app0300" })
        try FileManager.default.removeItem(at: folder.file("aaaa.json"))
        #expect(read(.names([0: ["aaaa.json"]])).files == 0)
        #expect(catalogue.diagnostics.isEmpty && catalogue.applications.count == 600)
    }

    @Test("of a folder that is emptied, and filled, in portions as well")
    func treeExited() throws {
        read(.all)
        let names = Set((0..<600).map { "\(Self.name($0)).json" })
        for name in names { try FileManager.default.removeItem(at: folder.file(name)) }
        #expect(read(.names([0: names])).files == 0)
        #expect(catalogue.unreadable.count == 1 && catalogue.unreadable[0].contains("there is no manifest"))
        for number in 0..<600 { try Self.write(number, to: folder) }
        #expect(read(.names([0: names])).files == 600)
        #expect(catalogue.unreadable.isEmpty && catalogue.applications.count == 600)
    }

    @Test("counts a file once that is named by its folder, itself and a link")
    func twice() throws {
        let link = folder.file("../link-\(UUID().uuidString)").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        let paths = [folder.path, folder.file("app0001.json").path, link]
        let catalogue = Catalogue(paths, profile: .modern)
        #expect(catalogue.fileCount == 600 && catalogue.applications.count == 600)
    }

    @Test("A library that is replaced is looked at again, and the others are not")
    func replacedLibrary() throws {
        let source = try #require(
            Catalogue([folder.file("app0000.json").path], profile: .modern).applications.first?.library?.path)
        try folder.write("libown.so", Data(contentsOf: URL(filePath: source)))
        try folder.write(
            "own.json",
            """
            {"identifier": "com.example.own", "library": "libown.so",
             "tasks": {"com.example.own.work": {"kind": "processing", "handler": "zlibVersion"}}}
            """)
        read(.all)
        #expect(shelf.filesRead == 2 && shelf.openFiles == 2)
        try FileManager.default.removeItem(at: folder.file("libown.so"))
        try folder.write("libown.so", Data(contentsOf: URL(filePath: source)) + [0 as UInt8])
        read(.all)
        #expect(shelf.filesRead == 3)
        #expect(shelf.openFiles == 2)
    }
}
