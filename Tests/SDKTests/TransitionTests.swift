import Foundation
import TestSupport
import Testing

/// The reference's table of transitions, in real workers: what an application receives, in this order and nothing else.
@Suite("Transitions of an application", .enabled(if: !Places.isSanitized))
struct TransitionTests {
    private static let launch = [
        "willFinishLaunching", "didFinishLaunching", "UIApplicationDidFinishLaunchingNotification",
    ]

    /// What an application without scenes receives, and one with a scene.
    struct Words: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var scene: String?
        var connects: [String] = []
        var comesToFront: [String]
        var becomesActive: [String]
        var entersBackground: [String]
        /// Where there is no scene yet.
        var isLaunchedInBackground: [String]
        var ends: [String]
    }

    static let words = [
        Words(
            testDescription: "without scenes",
            comesToFront: ["willEnterForeground", "UIApplicationWillEnterForegroundNotification"],
            becomesActive: ["didBecomeActive", "UIApplicationDidBecomeActiveNotification"],
            entersBackground: [
                "willResignActive", "UIApplicationWillResignActiveNotification",
                "didEnterBackground", "UIApplicationDidEnterBackgroundNotification",
            ],
            isLaunchedInBackground: ["didEnterBackground", "UIApplicationDidEnterBackgroundNotification"],
            ends: ["willTerminate", "UIApplicationWillTerminateNotification"]),
        Words(
            testDescription: "with scenes", scene: "Transitions.SceneDelegate",
            connects: ["scene willConnect", "UISceneWillConnectNotification"],
            comesToFront: [
                "sceneWillEnterForeground", "UISceneWillEnterForegroundNotification",
                "UIApplicationWillEnterForegroundNotification",
            ],
            becomesActive: [
                "sceneDidBecomeActive", "UISceneDidActivateNotification", "UIApplicationDidBecomeActiveNotification",
            ],
            entersBackground: [
                "sceneWillResignActive", "UISceneWillDeactivateNotification",
                "UIApplicationWillResignActiveNotification",
                "sceneDidEnterBackground", "UISceneDidEnterBackgroundNotification",
                "UIApplicationDidEnterBackgroundNotification",
            ],
            isLaunchedInBackground: ["UIApplicationDidEnterBackgroundNotification"],
            ends: [
                "sceneDidDisconnect", "UISceneDidDisconnectNotification", "willTerminate",
                "UIApplicationWillTerminateNotification",
            ]),
    ]

    private func serve(_ words: Words) throws -> ServedApplication {
        var members: [String: Any] = [
            "backgroundModes": ["processing"],
            "tasks": ["com.ex.app.p1": ["kind": "processing", "requires": ["idle": false]]],
        ]
        members["scene"] = words.scene
        let library = try Built.folder.get().appending(path: "libTransitions.so").path
        return try ServedApplication(library, file: "Documents/trace", members: members)
    }

    /// A daemon launches an application that it has not known once, in the background.
    @Test("each row, from a launch to the background and one to the front to the end", arguments: words)
    func rows(_ words: Words) throws {
        let application = try serve(words)
        try application.tell("run", "com.ex.app.p1")
        try application.tell("foreground", ServedApplication.identifier)
        try application.wait(for: "UIApplicationDidBecomeActiveNotification")
        try application.tell("background", ServedApplication.identifier)
        try application.wait(for: "UIApplicationDidEnterBackgroundNotification", count: 2)
        try application.tell("run", "com.ex.app.p1")
        try application.tell("quit", ServedApplication.identifier)
        try application.wait(for: "UIApplicationWillTerminateNotification")
        try application.tell("foreground", ServedApplication.identifier)
        try application.wait(for: "UIApplicationDidBecomeActiveNotification", count: 2)
        let trace = try application.stop(lastLine: "UIApplicationWillTerminateNotification", count: 2)

        let toBackground = Self.launch + words.isLaunchedInBackground + ["event"]
        let there = words.connects + words.comesToFront + words.becomesActive + words.entersBackground + ["event"]
        // Without scenes an application that is launched to the front only learns that it becomes active.
        let first = words.scene == nil ? [] : words.connects + words.comesToFront
        let toFront = Self.launch + first + words.becomesActive
        #expect(trace == toBackground + there + words.ends + toFront + words.ends)
    }
}
