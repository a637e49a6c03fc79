/// A path as the kernel reads it: bytes up to a NUL.
package struct KernelPath: Sendable {
    package let text: String
    let bytes: ContiguousArray<CChar>

    package init(_ text: String) {
        self.text = text
        bytes = text.utf8CString
    }
}
