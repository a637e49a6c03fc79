import Glibc

/// Which thread it is, among those that live now.
package struct ThreadIdentity: Equatable, Sendable {
    private let thread: pthread_t

    package static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

    package static func == (a: ThreadIdentity, b: ThreadIdentity) -> Bool { pthread_equal(a.thread, b.thread) != 0 }
}
