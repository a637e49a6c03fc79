import BackgroundTasks
import Foundation

/// Keeps a number in its defaults, and writes into its folder of documents.
@main
struct Preferences {
    static func main() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { task in
            let count = UserDefaults.standard.integer(forKey: "count")
            UserDefaults.standard.set(count + 1, forKey: "count")
            print("count \(count), kept \(UserDefaults.standard.synchronize())")
            let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
            let note = documents.appending(path: "note.txt")
            print("noted \((try? "noted".write(to: note, atomically: true, encoding: .utf8)) != nil)")
            task.setTaskCompleted(success: true)
        }
    }
}
