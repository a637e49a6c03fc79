/// Where a host works, and by which rules.
package struct HostPlace {
    package let state: StateFolder
    package let configuration: HostConfiguration
    /// It starts what is pending. Otherwise requests are taken and kept, for the daemon to start.
    package let schedules: Bool
}
