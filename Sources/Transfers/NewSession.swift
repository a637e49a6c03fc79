package import TaskModel

/// A background session in the policy.
package struct NewSession: Sendable, BitwiseCopyable, Equatable {
    package var application: ApplicationIndex
    package var isDiscretionary = false
    package var sendsLaunchEvents = true
    package var allowsExpensive = true
    package var allowsConstrained = true
    package var connectionsPerHost: UInt16 = 6
    package var resourceTimeout = TimeSpan.seconds(7 * 86_400)
    /// Its events were being handled when the host ended: its application is woken again.
    package var awaitsHandling = false

    package init(application: ApplicationIndex) { self.application = application }
}
