import BackgroundTasks

/// Dies of the framework's own sentence while it is launched.
@main struct App {
    static func main() {
        print("registering")
        for _ in 0..<2 {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.p1", using: nil) { _ in }
        }
    }
}
