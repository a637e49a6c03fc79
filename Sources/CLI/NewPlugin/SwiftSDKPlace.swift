import Linux
import Setting

/// Where the Swift SDK of this taskhost is: installed beside it, or in the checkout that it was built in.
struct SwiftSDKPlace {
    /// A command of the shell; with `compile` or `link` behind it, it prints what swiftc needs.
    let command: String

    /// - Parameter executable: the path of this program.
    init(of executable: String = ThisProcess.executable) throws(Failure) {
        let folder = FilePlace(executable).folder
        let installed = folder + "/../lib/taskhost/swift/flags.sh"
        if let path = FileSystem.realPath(installed) {
            command = ShellWord.quoted(path)
            return
        }
        // ROOT/.build/PLATFORM/CONFIGURATION/taskhost
        if let script = FileSystem.realPath(folder + "/../../../Tools/swift-flags.sh"),
            FileSystem.allows(.read, to: folder + "/libTaskHostSDK.a")
        {
            command = ShellWord.quoted(script) + " --build " + ShellWord.quoted(folder)
            return
        }
        throw .cannotCreate(
            "the Swift SDK is not beside this taskhost; \(installed); install it with make install, or use the taskhost of "
                + "a checkout")
    }
}
