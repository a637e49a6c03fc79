import Foundation
import Manifests
import Scheduling
import Setting
import TaskModel
import TestSupport
import Testing

@Suite("Time zones of the machine")
struct TimeZonesTests {
    private static let zones = Places.root.appending(path: "Tests/CalendarTests/Zones").path
    /// Summer.
    private static let time: Int64 = 1_784_000_000

    /// Trusted, as `/usr/share/zoneinfo` is: the checkout's folders may be writable by a group.
    private func folder() throws -> TestSupport.Folder {
        let folder = try TestSupport.Folder()
        for name in ["Europe-Berlin", "Asia-Kolkata"] {
            let bytes = try Data(contentsOf: URL(filePath: "\(Self.zones)/\(name).tzif"))
            try folder.write("zones/\(name.replacing("-", with: "/"))", bytes)
        }
        return folder
    }

    private func zones(_ folder: TestSupport.Folder, variable: String? = nil) -> TimeZones {
        TimeZones(
            stateFolder: folder.path, folder: folder.file("zones").path, localTime: folder.file("localtime").path,
            variable: variable)
    }

    @Test("are found by name, and nothing outside their folder is")
    func names() throws {
        let folder = try folder()
        let zones = zones(folder)
        #expect(zones.rules(named: "Europe/Berlin")?.offset(at: Self.time) == 7200)
        try FileManager.default.createSymbolicLink(
            at: folder.file("zones/Kolkata"), withDestinationURL: folder.file("zones/Asia/Kolkata"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("zones/Inside").path, withDestinationPath: "Asia/Kolkata")
        try folder.write("secret", "TZif")
        try folder.write("zones/Bad", "TZif")
        #expect(zones.rules(named: "Inside")?.offset(at: Self.time) == 19_800)
        for name in ["Kolkata", "../secret", "/etc/localtime", "", "Europe", "Bad", "Nowhere", "Europe/Berlin/x"] {
            #expect(zones.rules(named: name) == nil, "\(name)")
        }
    }

    @Test("The machine's own is that of its file, unless TZ says otherwise")
    func own() throws {
        let folder = try folder()
        #expect(zones(folder).rules(named: nil) == .utc)
        try FileManager.default.createSymbolicLink(
            at: folder.file("localtime"), withDestinationURL: folder.file("zones/Europe/Berlin"))
        func offset(_ variable: String?) -> Int64? {
            zones(folder, variable: variable).rules(named: nil)?.offset(at: Self.time)
        }
        #expect(offset(nil) == 7200)
        #expect(offset("Asia/Kolkata") == 19_800)
        #expect(offset(":Asia/Kolkata") == 19_800)
        #expect(offset(":" + folder.file("zones/Asia/Kolkata").path) == 19_800)
        #expect(offset("XXX3") == -10_800)
        #expect(offset("EST5EDT,M3.2.0,M11.1.0") == -14_400)
        #expect(offset("") == 0)
        #expect(offset("nonsense") == 0)
        #expect(offset("/dev/zero") == 0)
    }

    @Test("A machine without an id keeps its own number")
    func seed() throws {
        let folder = try folder()
        let file = folder.file("machine-id").path
        let made = MachineIdentity.seed(stateFolder: folder.path, makes: true, file: "/nowhere")
        #expect(
            made.count == 32 && MachineIdentity.seed(stateFolder: folder.path, makes: true, file: "/nowhere") == made)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == String(decoding: made, as: UTF8.self) + "\n")
        let id = String(repeating: "a1", count: 16)
        try folder.write("id", id + "\n")
        #expect(MachineIdentity.seed(stateFolder: nil, makes: true, file: folder.file("id").path) == Array(id.utf8))
        try folder.write("id", "uninitialized\n")
        #expect(MachineIdentity.seed(stateFolder: nil, makes: true, file: folder.file("id").path) == [])
        #expect(MachineIdentity.seed(stateFolder: folder.path, makes: true, file: folder.file("id").path) == made)
    }
}
