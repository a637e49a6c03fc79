import Testing
import Workers

@Suite("The place of a process in the cgroup hierarchies")
struct CgroupLayoutTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var cgroup: String
        var mountInfo: String
        var folders: [Hierarchy: String]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "pure version 2 of a systemd desktop",
            cgroup: "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-u7.scope\n",
            mountInfo: """
                24 30 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:14 - proc proc rw
                30 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                35 29 0:28 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 \
                rw,nsdelegate,memory_recursiveprot
                """,
            folders: [
                .unified: "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-u7.scope"
            ]),
        Case(
            testDescription: "hybrid, each controller mounted alone, memory deeper than the rest",
            cgroup: """
                9:name=systemd:/
                8:pids:/
                6:freezer:/
                4:memory:/machine/17
                2:cpuacct:/
                1:cpu:/
                0::/
                """,
            mountInfo: """
                31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
                33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
                35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
                38 31 0:35 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
                39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
                40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
                41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
                """,
            folders: [
                .unified: "/sys/fs/cgroup/unified", .memory: "/sys/fs/cgroup/memory/machine/17",
                .pids: "/sys/fs/cgroup/pids", .freezer: "/sys/fs/cgroup/freezer",
                .cpuacct: "/sys/fs/cgroup/cpuacct",
            ]),
        Case(
            testDescription: "version 1 with cpu and cpuacct mounted together",
            cgroup: "3:cpu,cpuacct:/a\n5:freezer:/b:c\n",
            mountInfo: """
                33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:3 - cgroup cgroup rw,cpu,cpuacct
                38 31 0:35 / /sys/fs/cgroup/freezer rw,relatime shared:4 master:1 - cgroup cgroup rw,freezer
                """,
            folders: [.cpuacct: "/sys/fs/cgroup/cpu,cpuacct/a", .freezer: "/sys/fs/cgroup/freezer/b:c"]),
        Case(
            testDescription: "a container with its own cgroup namespace and a read-only mount",
            cgroup: "0::/\n",
            mountInfo: "540 539 0:28 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw\n",
            folders: [.unified: "/sys/fs/cgroup"]),
        Case(
            testDescription: "a container that is shown only its part of a hierarchy",
            cgroup: "4:memory:/docker/4be1\n8:pids:/elsewhere\n0::/../outside\n",
            mountInfo: """
                60 59 0:32 /docker/4be1 /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory
                61 59 0:36 /docker/4be1 /sys/fs/cgroup/pids ro,relatime - cgroup cgroup rw,pids
                62 59 0:38 / /sys/fs/cgroup/unified ro,relatime - cgroup2 cgroup2 rw
                """,
            folders: [.memory: "/sys/fs/cgroup/memory"]),
        Case(
            testDescription: "a mount root that is a mere prefix of the name is another folder",
            cgroup: "4:memory:/docker/4be12\n",
            mountInfo: "60 59 0:32 /docker/4be1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
            folders: [:]),
        Case(
            testDescription: "blanks and backslashes in mount points are escaped",
            cgroup: "0::/x\n",
            mountInfo: #"35 29 0:28 / /mnt/my\040own\134cg rw - cgroup2 none rw"#,
            folders: [.unified: #"/mnt/my own\cg/x"#]),
        Case(testDescription: "no /proc at all", cgroup: "", mountInfo: "", folders: [:]),
        Case(
            testDescription: "lines that are cut short or senseless",
            cgroup: "0:\n::\n:memory:\n8:pids:/\n",
            mountInfo: "1 2 3\n35 29 0:28 / /x rw - cgroup2\n- - - - - - - - -\n39 31 0:36 / /p rw - cgroup c rw,pids",
            folders: [.pids: "/p"]),
    ]

    @Test("The folder of each hierarchy is found", arguments: cases)
    func folders(_ item: Case) {
        #expect(CgroupLayout(cgroup: item.cgroup, mountInfo: item.mountInfo).folders == item.folders)
    }
}
