import CLinux
import Glibc
package import TaskModel

/// What the kernel says of this process at present.
package struct ProcessFigures: Sendable {
    package var cpuTime = TimeSpan.zero
    package var residentBytes: UInt64 = 0
    package var virtualBytes: UInt64 = 0
    package var descriptors: UInt64 = 0
    package var mostDescriptors: UInt64 = 0

    package init() {
        cpuTime = TimeSpan(nanoseconds: Clock.nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
        let pages = (try? FileText.read("/proc/self/statm", limit: 4096))?.split(separator: " ") ?? []
        let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
        if pages.count > 1 {
            virtualBytes = (UInt64(pages[0]) ?? 0) * page
            residentBytes = (UInt64(pages[1]) ?? 0) * page
        }
        // The folder itself is open while it is read.
        descriptors = UInt64(max(0, ((try? FileSystem.names(in: "/proc/self/fd")) ?? []).count - 1))
        mostDescriptors = UInt64(ThisProcess.limitOfDescriptors.rlim_cur)
    }
}
