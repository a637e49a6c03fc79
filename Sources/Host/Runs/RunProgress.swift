import Wire

/// A run's progress, and the texts shown with it.
struct RunProgress {
    var report: ProgressReport
    /// Of continued processing.
    var titles: (title: String, subtitle: String)?
}
