import Linux
import Wire

/// The library that a manifest pins by its SHA-256. It is read whole, so here and not in the host, whose loop would wait.
enum PinnedLibrary {
    /// Checks the opened file that is mapped next, before any code of it is.
    ///
    /// Between this and the mapping the file can be changed by those who may write it or its folder: root and the host's
    /// user, whom the host trusts (it refuses a library of anybody else's), but no worker, since Landlock and the file's
    /// mode prevent that.
    static func check(_ plan: LaunchPlan, descriptor: Int32) throws(LoadError) {
        guard plan.sendsLibrary, !plan.librarySHA256.isEmpty else { return }
        let digest: [UInt8]
        do throws(SystemError) {
            digest = try FileDigest.sha256(of: descriptor)
        } catch {
            throw LoadError(
                "the library that the manifest pins cannot be read; \(plan.library): \(error); copy it again")
        }
        guard digest != plan.librarySHA256 else { return }
        throw LoadError(
            "the library is not the one that the manifest pins; \(plan.library) has the sha256 "
                + "\(FileDigest.text(digest)), the manifest says \(FileDigest.text(plan.librarySHA256)); put the right "
                + "library there, or correct \"sha256\" in the manifest")
    }
}
