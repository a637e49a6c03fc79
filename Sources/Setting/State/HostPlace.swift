/// Where a host works, and by which rules.
package struct HostPlace {
    package let state: StateFolder
    package let configuration: HostConfiguration
    /// It starts pending work. Otherwise requests are accepted and kept, for the daemon to start.
    package let schedules: Bool
    /// Its user may let faults happen to tasks.
    package let allowsFaults: Bool
    /// Its clock stands still until somebody moves it.
    package let isVirtual: Bool

    package init(
        state: StateFolder, configuration: HostConfiguration, schedules: Bool, allowsFaults: Bool, isVirtual: Bool
    ) {
        self.state = state
        self.configuration = configuration
        self.schedules = schedules
        self.allowsFaults = allowsFaults
        self.isVirtual = isVirtual
    }
}
