import Foundation
import UIKit

/// What can keep a process at work, behind a protocol that restates Foundation.
protocol Activities {
    func beginActivity(options: ProcessInfo.ActivityOptions, reason: String) -> any NSObjectProtocol
    func endActivity(_ activity: any NSObjectProtocol)
    var isLowPowerModeEnabled: Bool { get }
    var thermalState: ProcessInfo.ThermalState { get }
}

extension ProcessInfo: Activities {}

final class Uploader {
    private let activities: any Activities
    private var current: (any NSObjectProtocol)?
    private let progress = Progress()

    init(activities: any Activities = ProcessInfo.processInfo) { self.activities = activities }

    func upload(_ files: [URL]) {
        guard !activities.isLowPowerModeEnabled, activities.thermalState != .critical else { return }
        current = activities.beginActivity(options: [.background, .suddenTerminationDisabled], reason: "upload")
        progress.totalUnitCount = Int64(files.count)
        let start = CFAbsoluteTimeGetCurrent()
        for file in files {
            autoreleasepool {
                guard file.startAccessingSecurityScopedResource() else { return }
                defer { file.stopAccessingSecurityScopedResource() }
                NSLog("%@ after %f", file as NSURL, CFAbsoluteTimeGetCurrent() - start)
                progress.completedUnitCount += 1
            }
        }
        if let current { activities.endActivity(current) }
        current = nil
    }
}

enum PowerChanges {
    static func observe() -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: .NSProcessInfoPowerStateDidChange, object: nil, queue: .main
        ) { _ in print(UIDevice.current.userInterfaceIdiom == .pad) }
    }
}
