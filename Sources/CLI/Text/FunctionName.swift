/// The function in a demangled Swift name.
enum FunctionName {
    /// Modules of the SDK, which is part of every plugin's library.
    private static let kit = [
        "UIKit", "TaskHostRuntime", "TaskHostExtensions", "TaskHostFoundation", "BackgroundTasks", "Foundation",
    ]
    /// The compiler's prefixes of derived functions, up to these words.
    private static let wrappers = [
        ("function signature specialization", " of "), ("generic specialization", " of "), ("merged ", "merged "),
        ("closure #", " in "), ("implicit closure #", " in "), ("static ", "static "), ("@objc ", "@objc "),
        ("partial apply forwarder for ", " for "), ("dispatch thunk of ", " of "),
        ("reabstraction thunk helper", " from "),
    ]

    /// Whether the function is declared in the SDK. Types of the SDK among its arguments do not make it so.
    static func isOfKit(_ function: String) -> Bool {
        var name = function[...]
        while let wrapper = wrappers.first(where: { name.hasPrefix($0.0) }), let end = name.firstRange(of: wrapper.1) {
            name = name[end.upperBound...]
        }
        return kit.contains { name.hasPrefix("\($0).") || name.hasPrefix("(extension in \($0))") }
    }
}
