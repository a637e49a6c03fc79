/// Where a host works, and by which rules.
package struct HostPlace {
    package let state: StateFolder
    package let configuration: HostConfiguration
    /// It starts pending work. Otherwise requests are accepted and kept, for the daemon to start.
    package let schedules: Bool
}
