internal import TaskHostRuntime

/// What UIKit says to an application of its own without the scene life cycle (Apple's technote TN3187).
@MainActor enum SceneAdoption {
    private static let advice =
        "implement application(_:configurationForConnecting:options:), or name the class of the scene delegate in the "
        + "manifest: \"scene\": \"Module.SceneDelegate\""
    private static var isNoted = false

    /// Under the rules of iOS 27 such an application ends at its launch.
    static func endLaunch() -> Never {
        Misuse.trap(
            "Application failed to launch: UIScene life cycle is required for apps built with this SDK. See Technote TN3187 "
                + "for more information on migration.",
            advice: advice + "; or leave \"sdk\": \"27\" out")
    }

    /// Before them it is told so once, when its scene would be connected.
    static func noteMissing() {
        guard !isNoted, ConnectedHost.current != nil else { return }
        isNoted = true
        Diagnostic.write(
            "UIScene lifecycle will soon be required. Failure to adopt will result in an assert in the future. (TN3187); "
                + advice)
    }

    /// The application has not launched.
    static func forget() { isNoted = false }
}
