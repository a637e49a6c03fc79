import CLinux
import Glibc

/// Descriptors that go somewhere together; closed with it.
package final class DescriptorBundle: Sendable {
    package static let none = DescriptorBundle(adopting: [])

    package let numbers: [Int32]

    /// Takes over raw descriptors.
    package init(adopting numbers: [Int32]) { self.numbers = numbers }

    /// The owner of the others closes them.
    package init(copying others: [Int32], above lowest: Int32 = 3) throws(SystemError) {
        var copies: [Int32] = []
        for other in others {
            let copy = clinux_dup_above(other, lowest)
            guard copy >= 0 else {
                for number in copies { _ = close(number) }
                throw SystemError("fcntl(F_DUPFD)", code: -copy)
            }
            copies.append(copy)
        }
        numbers = copies
    }

    deinit { for number in numbers { _ = close(number) } }
}
