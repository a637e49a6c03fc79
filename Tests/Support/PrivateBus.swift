import Foundation
import Glibc

/// A D-Bus of the test's own, with mocks of the services that a system bus has (python3-dbusmock's templates). It and all on
/// it end with the object.
///
/// A program that is started with `environment` takes it for the system bus. *Thread*: one at a time.
package final class PrivateBus {
    /// What can be put on the bus.
    package enum Mock: String, CaseIterable, Sendable {
        case upower
        case logind
        case networkManager = "networkmanager"
        case powerProfiles = "power_profiles_daemon"

        package var name: String {
            switch self {
            case .upower: "org.freedesktop.UPower"
            case .logind: "org.freedesktop.login1"
            case .networkManager: "org.freedesktop.NetworkManager"
            case .powerProfiles: "net.hadess.PowerProfiles"
            }
        }
        package var path: String { "/" + name.replacing(".", with: "/") }
        package var interface: String { self == .logind ? "org.freedesktop.login1.Manager" : name }
    }

    package let address: String
    package let socket: String
    package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    private let folder: Folder
    private var daemon: Program?
    private var mocks: [Mock: Program] = [:]
    private static let driver = Places.fixtures.appending(path: "Bus/drive.py").path

    /// - Parameter isRunning: start the bus at once.
    package init(isRunning: Bool = true) throws {
        folder = try Folder()
        socket = folder.file("bus/socket").path
        address = "unix:path=\(socket)"
        try folder.write(
            "bus.conf",
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """)
        if isRunning { try start() }
    }

    // MARK: The bus

    package func start() throws {
        try FileManager.default.createDirectory(
            at: folder.file("bus"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let daemon = try Program(
            "dbus-daemon",
            ["--config-file=\(folder.file("bus.conf").path)", "--nofork", "--nopidfile", "--print-address"])
        try daemon.wait(forText: "guid=")
        self.daemon = daemon
    }

    /// Kills the bus, and the mocks, which cannot outlive it. Its socket stays, without a listener.
    package func kill() throws {
        try daemon?.signal(SIGKILL)
        _ = try daemon?.finish()
        daemon = nil
        mocks = [:]
    }

    /// Puts in the bus's place a listener that accepts connections and never answers.
    package func listenSilently() throws -> Program {
        try FileManager.default.createDirectory(at: folder.file("bus"), withIntermediateDirectories: true)
        let listener = try Program(Places.python, [Self.driver, address, "silent", socket])
        try listener.wait(forText: "listening")
        return listener
    }

    package func removeSocket() throws { try FileManager.default.removeItem(atPath: socket) }

    // MARK: Mocks

    package func start(_ mock: Mock) throws {
        mocks[mock] = try Program(
            Places.python, ["-m", "dbusmock", "--system", "--template", mock.rawValue], environment: environment)
        try drive(["wait", mock.name])
        if mock == .networkManager {
            // The template lacks it. 2: not metered.
            try drive(["add", mock.name, mock.path, mock.interface, "Metered", "u", "2"])
        }
    }

    package func stop(_ mock: Mock) throws {
        guard let program = mocks.removeValue(forKey: mock) else { return }
        try program.signal(SIGKILL)
        _ = try program.finish()
    }

    package func signal(_ mock: Mock, _ number: Int32) throws { try mocks[mock]?.signal(number) }

    // MARK: Changes

    /// Sets a property of the mock's main object, which announces it. `value` is JSON, `type` D-Bus's letter for it.
    package func set(_ mock: Mock, _ property: String, _ type: String, _ value: String) throws {
        try drive(["update", mock.name, mock.path, mock.interface, property, type, value])
    }

    package func setOnBattery(_ on: Bool) throws { try set(.upower, "OnBattery", "b", "\(on)") }

    /// What UPower shows of all batteries together.
    package func setBattery(percent: Int) throws {
        let device = Mock.upower.path + "/devices/DisplayDevice"
        for (name, type, value) in [("IsPresent", "b", "true"), ("Percentage", "d", "\(percent)")] {
            try drive(["update", Mock.upower.name, device, "org.freedesktop.UPower.Device", name, type, value])
        }
    }

    package func setIdle(_ on: Bool) throws { try set(.logind, "IdleHint", "b", "\(on)") }
    package func setMetered(_ value: Int) throws { try set(.networkManager, "Metered", "u", "\(value)") }
    package func setPowerSaver(_ on: Bool) throws {
        try set(.powerProfiles, "ActiveProfile", "s", on ? "\"power-saver\"" : "\"balanced\"")
    }

    /// logind's announcement before and after sleep.
    package func prepareForSleep(_ isStarting: Bool) throws {
        let mock = Mock.logind
        try drive(["emit", mock.name, mock.path, mock.interface, "PrepareForSleep", "b", "\(isStarting)"])
    }

    /// How long logind makes sleep wait for those who asked it to. Once for each mock, and before it is read.
    package func setSleepDelay(milliseconds: Int) throws {
        let mock = Mock.logind
        try drive([
            "add", mock.name, mock.path, mock.interface, "InhibitDelayMaxUSec", "t", "\(milliseconds * 1000)",
        ])
    }

    /// logind refuses locks of that mode from now on, as polkit does it.
    package func refuseInhibitors(_ mode: String) throws {
        let mock = Mock.logind
        try drive([
            "refuse", mock.name, mock.path, mock.interface, mode, "org.freedesktop.DBus.Error.AccessDenied",
        ])
    }

    /// A user logs in, or out: logind announces the session, but not the idleness that goes or comes with it.
    package func logIn(_ isNew: Bool) throws {
        let mock = Mock.logind
        try drive([
            "session", mock.name, mock.path, mock.interface, isNew ? "SessionNew" : "SessionRemoved", "\(!isNew)",
        ])
    }

    /// Who keeps the machine awake, as logind lists them: what, who, why, how.
    package func inhibitors() throws -> String {
        try drive(["call", Mock.logind.name, Mock.logind.path, Mock.logind.interface, "ListInhibitors"])
    }

    /// Sends a signal straight to a process on the bus, in the name of a service that the sender does not own.
    ///
    /// - Parameter type: D-Bus's letter, or `owner` for a NameOwnerChanged about the name `value`.
    @discardableResult
    package func forge(
        toProcess pid: Int32, path: String, interface: String, member: String, _ type: String, _ value: String
    ) throws -> String {
        try drive(["forge", "\(pid)", path, interface, member, type, value])
    }

    @discardableResult
    private func drive(_ arguments: [String]) throws -> String {
        let command = try Command.run(Places.python, [Self.driver, address] + arguments)
        guard command.succeeded else { throw Problem("\(arguments): \(command.output)") }
        return command.output
    }
}
