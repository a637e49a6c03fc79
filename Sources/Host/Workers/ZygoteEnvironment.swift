import Linux

/// The environment that a zygote starts with: clean before anything is loaded, because libraries read it once and
/// remember it. Workers get another one, which contains none of it.
enum ZygoteEnvironment {
    /// Variables of the host's environment that are passed on, since they belong to the machine and not to the user.
    private static let kept = ["TZ", "LANG"]

    /// - Parameter executable: path of `taskhost-worker`.
    static func make(executable: String) -> [(String, String)] {
        // Symbols are bound once here instead of at first use in every worker.
        var variables = [("PATH", "/usr/bin:/bin"), ("SWIFT_BACKTRACE", "enable=no"), ("LD_BIND_NOW", "1")]
        for name in kept {
            if let value = ThisProcess.variable(name) { variables.append((name, value)) }
        }
        // Plugins name the runtime by the search path of the machine that built them (DT_RUNPATH), which usually does not exist.
        // The variable comes before it (ld.so(8)), and the loader reads it once, when the process starts.
        if let folder = SwiftRuntime.folder(beside: executable) { variables.append((SwiftRuntime.variable, folder)) }
        return variables
    }
}
