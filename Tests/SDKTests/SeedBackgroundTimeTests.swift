import Foundation
import TestSupport
import Testing

@Suite("The seeds' listings of background time")
struct SeedBackgroundTimeTests {
    /// What is left when each profile's background time is looked at every three seconds, until five are left.
    static let profiles = [("ios6", 600), ("ios7", 180), ("modern", 30)]

    @Test("print what is left until the flag ends the loop, then until the expiration does", arguments: profiles)
    func loop(_ profile: String, _ seconds: Int) throws {
        let folder = try Folder()
        let library = try Places.products.appending(path: "libSeedBackgroundTime.so").path
        let (front, back) = (["state=1", "state=2"], ["state=1", "state=3"])
        func ended(_ numbers: Int...) -> [String] { numbers.map { "text=assertion-ended \($0)" } }
        let lines = try Worker.run(
            library, options: ["--background", "\(seconds)", "--folder", folder.url.path],
            front + ended(1) + back + ended(2, 3) + front + ended(4) + back + ended(5)
                + ["text=about to end", "assertions=1"]
        ).lines
        let printed = lines.filter { Double($0) != nil || $0 == "Exhausted time" || $0 == "the loop is done" }
        let flagged = [0, 3, 6].map { "\(seconds - $0).0" } + ["the loop is done"]
        let exhausted = stride(from: seconds, to: 5, by: -3).map { "\($0).0" } + ["Exhausted time"]
        #expect(printed == flagged + exhausted)
        #expect(lines.filter { $0 == "the task of didEnterBackground is done" }.count == 2)
        #expect(Worker.reports(lines).isEmpty, "every task is ended, once")
    }

    @Test(
        "run under each limits profile, whose time they print", .enabled(if: !Places.isSanitized), arguments: profiles)
    func served(_ profile: String, _ seconds: Int) throws {
        let library = try Places.products.appending(path: "libSeedBackgroundTime.so").path
        let application = try ServedApplication(library, file: "Documents/log.txt", options: ["--profile", profile])
        try application.tell("foreground", ServedApplication.identifier)
        try application.wait(for: "the background-safe task is done, with time: true")
        try application.tell("background", ServedApplication.identifier)
        try application.wait(for: "the task of didEnterBackground is done")
        try application.wait(for: "the loop is done")
        let lines = try application.stop(lastLine: "the loop is done")
        let left = lines.compactMap(Double.init)
        try #require(left.count == 3, "\(lines)")
        // Each step takes a second at least; how much more is the machine's business.
        #expect(left[0] <= Double(seconds) && left[0] > Double(seconds) - 5)
        #expect(left[1] <= left[0] - 1 && left[2] <= left[1] - 1)
        #expect(!lines.contains("Exhausted time"))
    }
}
