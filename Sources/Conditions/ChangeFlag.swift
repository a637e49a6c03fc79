/// Raised by a part of `DeviceMonitor` with a new value; lowered when all watchers have been notified.
package final class ChangeFlag {
    package private(set) var isRaised = false
    package init() {}
    package func raise() { isRaised = true }
    package func lower() { isRaised = false }
}
