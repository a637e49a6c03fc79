package import Wire

/// A run's progress, and the texts shown with it.
package struct RunProgress {
    package var report: ProgressReport
    /// Of continued processing.
    package var titles: (title: String, subtitle: String)?

    package init(report: ProgressReport, titles: (title: String, subtitle: String)?) {
        self.report = report
        self.titles = titles
    }
}
