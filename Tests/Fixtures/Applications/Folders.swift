import BackgroundTasks
import Foundation

/// Finds its folders by every name that iOS has for them.
@main
struct Folders {
    static func main() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { task in
            compare()
            old()
            task.setTaskCompleted(success: true)
        }
    }

    static func compare() {
        let home = NSHomeDirectory()
        let names: [(String, URL, FileManager.SearchPathDirectory, String?)] = [
            ("documents", .documentsDirectory, .documentDirectory, "Documents"),
            ("library", .libraryDirectory, .libraryDirectory, "Library"),
            ("caches", .cachesDirectory, .cachesDirectory, "Library/Caches"),
            ("support", .applicationSupportDirectory, .applicationSupportDirectory, "Library/Application Support"),
            ("downloads", .downloadsDirectory, .downloadsDirectory, "Downloads"),
            ("desktop", .desktopDirectory, .desktopDirectory, "Desktop"),
            ("movies", .moviesDirectory, .moviesDirectory, nil), ("music", .musicDirectory, .musicDirectory, "Music"),
            ("pictures", .picturesDirectory, .picturesDirectory, "Pictures"),
            ("public", .sharedPublicDirectory, .sharedPublicDirectory, "Public"),
            ("trash", .trashDirectory, .trashDirectory, ".Trash"),
            ("applications", .applicationDirectory, .applicationDirectory, "Applications"),
        ]
        for (name, url, directory, place) in names {
            let managers = [FileManager.default, FileManager()]
            var places = managers.map { $0.urls(for: directory, in: .userDomainMask).first?.path ?? "none" }
            places.append(
                (try? FileManager.default.url(for: directory, in: .userDomainMask, appropriateFor: nil, create: true))?
                    .path ?? "none")
            places.append(NSSearchPathForDirectoriesInDomains(directory, .userDomainMask, true).first ?? "none")
            places.append(url.path)
            if let place { places.append("\(home)/\(place)") }
            let same = Set(places.map { URL(filePath: $0).resolvingSymlinksInPath().path })
            print("\(name) \(same.count == 1 ? "one folder" : "\(places)")")
        }
        let temporary = [
            NSTemporaryDirectory(), FileManager.default.temporaryDirectory.path, URL.temporaryDirectory.path,
            home + "/tmp",
        ]
        print("temporary \(Set(temporary.map { URL(filePath: $0).resolvingSymlinksInPath().path }).count)")
        print("home \(URL.homeDirectory.path == home), \(FileManager.default.homeDirectoryForCurrentUser.path == home)")
    }

    /// What lies where both folders were in earlier versions.
    static func old() {
        for folder in [URL.documentsDirectory, URL.applicationSupportDirectory] {
            let text = { (name: String) in
                (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "none"
            }
            print("old \(text("old.txt")), \(text("old/inside.txt"))")
        }
    }
}
