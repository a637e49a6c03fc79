import Foundation
import TestSupport
import Testing
import UserNotifications

@Suite("Notifications")
struct NotificationTests {
    private static let pending = #"["later New items", "much later New items"]"#

    @Test("are kept from process to process, and are in the journal", .enabled(if: !Places.isSanitized))
    func confined() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: try Built.folder.get().appending(path: "libNotifications.so"),
            to: folder.file("libNotifications.so"))
        try folder.write(
            "it.json",
            """
            {"identifier": "com.ex.app", "library": "libNotifications.so", "backgroundModes": ["fetch"],
             "tasks": {"com.ex.app.r1": {"kind": "appRefresh"}}}
            """)
        let places = ["--state", folder.file("state").path, "--manifests", folder.path]
        let first = try Command.run(Places.taskhost, ["run", "com.ex.app.r1"] + places)
        #expect(first.succeeded && first.output.contains("before 0 1 []"), "\(first.output)")
        #expect(first.output.contains("after \(Self.pending) [\"now\"]"), "\(first.output)")
        #expect(first.output.contains("presented 0"))
        let second = try Command.run(Places.taskhost, ["run", "com.ex.app.r1"] + places)
        #expect(second.output.contains("before 2 2 \(Self.pending)"), "\(second.output)")

        struct Entry: Decodable {
            var kind: String
            var subject: String
            var text: String
        }
        struct Document: Decodable { var entries: [Entry] }
        let journal = try Command.run(Places.taskhost, ["journal", "--json"] + places)
        let entries = try JSONDecoder().decode(Document.self, from: Data(journal.output.utf8)).entries
        let notes = entries.filter { $0.kind == "notification" }
        #expect(notes.count == 10 && notes.allSatisfy { $0.subject == "com.ex.app" }, "\(journal.output)")
        #expect(
            notes.count { $0.text == "asked to be allowed alerts, sounds: granted, and nothing is displayed" } == 2)
        #expect(
            notes.contains { $0.text.hasPrefix("asked to notify at 20") && $0.text.contains("\"later\": New items") })
        let now = #"asked to notify at once, as "now": changed after it was added: There are 3"#
        #expect(notes.contains { $0.text == now })
        // Once in a process, however many parts of an interface it makes.
        let screens = entries.filter { $0.text.contains("a worker has no screen") }
        #expect(screens.count == 2 && screens.allSatisfy { $0.text.hasPrefix("UIAlertController does nothing") })
    }

    @Test("that are due by the calendar or again and again have their next date")
    func dates() throws {
        let minute = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        #expect(try #require(minute.nextTriggerDate()).timeIntervalSinceNow > 58)
        var components = DateComponents()
        components.hour = 9
        let morning = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        let next = try #require(morning.nextTriggerDate())
        #expect(Calendar.current.component(.hour, from: next) == 9 && next > Date())
        #expect(next < Date(timeIntervalSinceNow: 86_400 + 3_600))
    }

    @Test("outside of a worker are kept by the process")
    func outside() async throws {
        let center = UNUserNotificationCenter.current()
        #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
        let content = UNMutableNotificationContent()
        content.userInfo = ["page": 7]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 1_000, repeats: false)
        for number in 0..<70 {
            try await center.add(
                UNNotificationRequest(identifier: "\(number)", content: content, trigger: number < 68 ? trigger : nil))
        }
        let pending = await center.pendingNotificationRequests()
        #expect(pending.map(\.identifier) == (4..<68).map { "\($0)" }, "the newest 64")
        #expect(pending.first?.content.userInfo["page"] as? Int == 7)
        #expect(await center.deliveredNotifications().map(\.request.identifier) == ["68", "69"])
        center.removeAllPendingNotificationRequests()
        center.removeDeliveredNotifications(withIdentifiers: ["69"])
        #expect(await center.pendingNotificationRequests().isEmpty)
        #expect(await center.deliveredNotifications().map(\.request.identifier) == ["68"])
    }

    @Test("pass an extension that changes nothing as they are")
    func serviceExtension() {
        let content = UNMutableNotificationContent()
        content.title = "New items"
        var titles: [String] = []
        let request = UNNotificationRequest(identifier: "push", content: content, trigger: nil)
        let service = UNNotificationServiceExtension()
        service.didReceive(request) { titles.append($0.title) }
        service.serviceExtensionTimeWillExpire()
        #expect(titles == ["New items"])
    }
}
