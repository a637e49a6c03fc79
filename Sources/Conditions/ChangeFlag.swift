/// Raised by a part of `DeviceMonitor` that found something new; lowered once everybody has been told.
package final class ChangeFlag {
    package private(set) var isRaised = false
    package init() {}
    package func raise() { isRaised = true }
    package func lower() { isRaised = false }
}
