import Conditions
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Announcements of the kernel's devices", .serialized)
final class PowerSupplyWatchTests {
    private let turn: AnnouncementTurn

    init() throws { turn = try AnnouncementTurn() }

    @Test("Supplies are read again when the kernel announces a change, and only then")
    func announcements() throws {
        let folder = try Folder()
        try folder.write("AC/type", "Mains\n")
        try folder.write("AC/online", "1\n")
        try folder.write("BAT0/type", "Battery\n")
        try folder.write("BAT0/capacity", "80\n")
        let changed = ChangeFlag()
        let watch = PowerSupplyWatch(folder: folder.path, subsystem: "mem", changed: changed)
        let loop = try TestLoop(watch)
        #expect(watch.found.externalPower == .yes)
        #expect(!changed.isRaised)
        try folder.write("AC/online", "0\n")

        // Root may send to the group as well, and any user to the socket: neither is the kernel.
        let forged = try Command.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import socket
                s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
                s.sendto(b"change@/x\\0ACTION=change\\0SUBSYSTEM=mem\\0", (0, 1))
                """,
            ])
        #expect(forged.succeeded)
        try loop.run(for: .milliseconds(300))
        #expect(watch.found.externalPower == .yes)

        try turn.announce("change")
        try loop.run { watch.found.externalPower == .no }
        #expect(watch.found.batteryLevel == 80)
        #expect(changed.isRaised)
    }

    @Test("Announcements of other subsystems change nothing")
    func others() throws {
        let folder = try Folder()
        let watch = PowerSupplyWatch(folder: folder.path, changed: ChangeFlag())
        let loop = try TestLoop(watch)
        try folder.write("BAT0/type", "Battery\n")
        try folder.write("BAT0/capacity", "80\n")
        try turn.announce("change")
        try loop.run(for: .milliseconds(300))
        #expect(watch.found.batteryLevel == nil)
        watch.refresh()
        #expect(watch.found.batteryLevel == 80)
    }

    @Test("The subsystem is found as a whole field alone")
    func fields() {
        func concerns(_ text: String) -> Bool {
            Uevent.concerns(subsystem: "power_supply", Array(text.utf8).span.bytes)
        }
        #expect(concerns("change@/d\0ACTION=change\0SUBSYSTEM=power_supply\0SEQNUM=1\0"))
        #expect(concerns("SUBSYSTEM=power_supply"))
        #expect(!concerns("change@/SUBSYSTEM=power_supply\0SUBSYSTEM=net\0"))
        #expect(!concerns("SUBSYSTEM=power_supplyX\0"))
        #expect(!concerns("\0\0\0"))
        #expect(!concerns(""))
    }
}
