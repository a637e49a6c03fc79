import TestSupport
import Testing

@Suite("Scenes")
struct SceneTests {
    /// What the application received, each with the application's state at that time.
    private func heard(_ library: String, options: [String], _ steps: [String]) throws -> [String] {
        let lines = try Worker.run(library, options: options, steps).lines
        #expect(lines.allSatisfy { !$0.hasPrefix("heard") || $0.hasSuffix(" true") }, "on the main thread")
        return lines.filter { $0.hasPrefix("heard ") }.map { String($0.dropFirst(6).dropLast(5)) }
    }

    private static let launched = "didFinishLaunching 0 in"
    private static func connected(in state: String) -> [String] {
        ["willConnect unattached in \(state)", "UISceneWillConnectNotification true in \(state)"]
    }
    private static func toFront(from state: String) -> [String] {
        [
            "willEnterForeground background in \(state)",
            "UISceneWillEnterForegroundNotification true in \(state)",
            "UIApplicationWillEnterForegroundNotification false in \(state)",
            "didBecomeActive foregroundActive in active",
            "UISceneDidActivateNotification true in active",
            "UIApplicationDidBecomeActiveNotification false in active",
        ]
    }
    private static let toBackground = [
        "willResignActive foregroundActive in active",
        "UISceneWillDeactivateNotification true in inactive",
        "UIApplicationWillResignActiveNotification false in inactive",
        "didEnterBackground background in background",
        "UISceneDidEnterBackgroundNotification true in background",
        "UIApplicationDidEnterBackgroundNotification false in background",
    ]
    private static let end = [
        "didDisconnect background in background", "UISceneDidDisconnectNotification true in background",
        "applicationWillTerminate 0 in background", "UIApplicationWillTerminateNotification false in background",
    ]

    @Test("are connected at a launch to the front, and get the callbacks in the application delegate's place")
    func foreground() throws {
        let steps = ["state=1", "state=2", "state=1", "state=3", "state=1", "state=2", "state=1", "state=3"]
        let heard = try heard("Scenes", options: ["--scene", "Scenes.SceneDelegate"], steps + ["terminate=1"])
        #expect(
            heard == ["\(Self.launched) inactive", "configurationForConnecting 0 in inactive"]
                + Self.connected(in: "inactive") + Self.toFront(from: "inactive") + Self.toBackground
                + Self.toFront(from: "background") + Self.toBackground + Self.end)
    }

    @Test("are not connected by a launch to the background, but when the application then comes to the front")
    func background() throws {
        let options = ["--state", "3", "--scene", "Scenes.SceneDelegate"]
        let heard = try heard("Scenes", options: options, ["state=3", "state=4", "state=3", "state=1", "state=2"])
        #expect(
            heard == [
                "\(Self.launched) background", "UIApplicationDidEnterBackgroundNotification false in background",
                "configurationForConnecting 0 in background",
            ] + Self.connected(in: "background") + Self.toFront(from: "background"))
    }

    @Test("may have their delegate, and their own class, from the application delegate alone; it is asked once")
    func inCode() throws {
        let options = ["--state", "3", "--name", "in code"]
        let run = try Worker.run("Scenes", options: options, ["state=3", "state=1", "state=2", "state=1", "state=2"])
        #expect(run.lines.filter { $0.contains("configurationForConnecting") }.count == 1)
        #expect(run.lines.contains("windows true true true"))
        #expect(run.lines.contains("session true true Default Configuration OwnScene true"))
        #expect(!run.lines.contains { $0.hasPrefix("heard applicationDid") || $0.hasPrefix("report") })
    }

    @Test("may be the manifest's alone; their delegate need not be a responder")
    func manifestAlone() throws {
        let steps = ["state=1", "state=2", "state=1", "state=3", "terminate=1"]
        let lines = try Worker.run("Delegate", options: ["--scene", "Delegate.SceneDelegate"], steps).lines
        #expect(
            lines.filter { $0.hasSuffix(" true") } == [
                "init inactive true", "willFinishLaunching inactive true", "didFinishLaunching inactive true",
                "scene willConnect unattached true",
                "scene willEnterForeground background true",
                "UIApplicationWillEnterForegroundNotification inactive true",
                "scene didBecomeActive foregroundActive true", "UIApplicationDidBecomeActiveNotification active true",
                "scene willResignActive foregroundActive true",
                "UIApplicationWillResignActiveNotification inactive true",
                "scene didEnterBackground background true",
                "UIApplicationDidEnterBackgroundNotification background true",
                "scene didDisconnect background true",
                "willTerminate background true", "UIApplicationWillTerminateNotification background true",
            ])
    }

    @Test(
        "without a delegate that can be made are connected all the same, and the journal says why",
        arguments: [
            ([], #"the manifest has no "scene"; name the class with its module there, such as "Scenes.SceneDelegate""#),
            (["--scene", "Scenes.Nobody"], #"no class Scenes.Nobody is loaded, which the manifest names as "scene""#),
            (["--scene", "Scenes.OwnScene"], "OwnScene does not conform to UISceneDelegate"),
        ])
    func missing(_ options: [String], _ sentence: String) throws {
        let lines = try Worker.run("Scenes", options: options, ["state=1", "state=2"]).lines
        #expect(lines.contains { $0.hasPrefix("report the scene has no delegate: ") && $0.contains(sentence) })
        #expect(lines.contains("heard UISceneDidActivateNotification true in active true"))
    }

    @Test("are required of an application of UIKit under iOS 27's rules: without them it ends at its launch")
    func required() throws {
        let run = try Worker.run("Delegate", options: ["--sdk", "27"], ["state=1"])
        #expect(run.command.signal == 6)
        #expect(
            run.command.output.contains(
                "reason: 'Application failed to launch: UIScene life cycle is required for apps built with this SDK. See "
                    + "Technote TN3187 for more information on migration.'"))
        #expect(
            run.command.output.contains(#"taskhost: implement application(_:configurationForConnecting:options:), or"#))
        #expect(!run.command.output.contains("didBecomeActive"))
        for (library, options) in [
            ("Scenes", []), ("Delegate", ["--scene", "Delegate.SceneDelegate"]), ("SwiftUIApp", []),
        ] {
            let adopted = try Worker.run(library, options: ["--sdk", "27"] + options, ["state=1", "state=2"])
            #expect(adopted.command.signal == nil, "\(library): \(adopted.command.output)")
            #expect(!adopted.command.output.contains("TN3187"))
        }
    }

    @Test("are recommended before: an application without them is told once, when it first comes to the front")
    func recommended() throws {
        let background = try Worker.run("Delegate", options: ["--state", "3"], ["state=3"])
        #expect(!background.command.output.contains("TN3187"))
        let steps = ["state=1", "state=2", "state=1", "state=3", "state=1", "state=2"]
        let front = try Worker.run("Delegate", steps)
        let told = front.lines.filter {
            $0.hasPrefix("report UIScene lifecycle will soon be required. Failure to adopt")
        }
        #expect(told.count == 1, "\(front.lines)")
    }
}
