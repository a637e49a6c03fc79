import CLinux
import Glibc
import Wire

struct ConfinementError: Error { var sentence: String }

struct ConfinementTemplate {
    static func prepare() throws(ConfinementError) -> ConfinementTemplate { ConfinementTemplate() }
}

enum Confinement {
    static func place(_ descriptors: [Int32]) throws(ConfinementError) {
        for descriptor in descriptors { _ = write(descriptor, "0", 1) }
    }
    static func apply(
        plan: LaunchPlan, template: ConfinementTemplate, wire: Int32, log: Int32, library: Int32?
    ) throws(ConfinementError) -> ConfinementReport {
        setsid()
        let null = open("/dev/null", O_RDONLY)
        let high = [null, log, wire, library ?? -1].map { $0 >= 0 ? clinux_dup_above($0, 64) : -1 }
        dup2(high[0], 0)
        dup2(high[1], 1)
        dup2(high[1], 2)
        dup2(high[2], 3)
        if high[3] >= 0 { dup2(high[3], 4) } else { close(4) }
        clinux_close_range(5)
        clinux_die_with_parent()
        chdir(plan.stateDirectory)
        return ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: [])
    }
}
