import Control
import JSON
import Linux
import PageDoor
import Setting
import TaskModel

/// `taskhost ui`
enum UIVerb: Verb {
    static let name = "ui"
    static let summary = "show the daemon in a browser"
    static let help = """
        usage: taskhost ui [--port N] [--no-open] [--read-only] [--any-user]

        Prints a link to a page that shows the daemon, and opens it in a browser where there is a display and xdg-open.
        The page comes from this process, which listens on 127.0.0.1 and [::1] alone, and passes on what the page asks:
        to the daemon it is this user who asks. It ends with Ctrl-C; the daemon itself opens no port.

        A link is good once, for a minute: the browser gets a key for it, which is good until this process ends. On a
        terminal Enter prints another link, for another browser. With --json each link is a document: {"url", "port",
        "readOnly"}. With --read-only nothing can be changed through it, as is the case for users who may only read.
        Manifests that the page edits are written by this process, with this user's rights: files of the daemon's manifest
        folders that belong to this user. A text cannot set "confinement": "none", nor change "user" or "group".
        When the daemon ends, the page waits until it is back. Only programs of this user, of who logged in (sudo) and of
        root may connect; with --any-user those of every user of this machine.

        From another machine: ssh -t -L 7000:127.0.0.1:7000 HOST taskhost ui --port 7000 --no-open

        exit status: 0 ended by the user · 1 somebody guessed keys · 69 no host serves this state folder · 73 the port
        cannot be used
        """
    static let options: [Option] = [
        .valued("--port", "N", "the port to listen on; without it any that is free"),
        .flag("--no-open", "print the link, and open no browser"),
        .flag("--read-only", "change nothing, whatever the page asks"),
        .flag("--any-user", "let programs of other users of this machine connect too"), .state, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let port = try arguments.number("--port", in: 1...65_535).map { UInt16($0) }
        let mayChange = try mayChange(arguments)
        let place = DaemonPlace(try Places.state(arguments))
        // As validate checks them; a bad configuration is the daemon's to report.
        let desk = ManifestDesk(AccountRules((try? Configuration.read(arguments, terminal)) ?? HostConfiguration()))
        let proxy: PageProxy
        do throws(SystemError) {
            proxy = try PageProxy(
                place, port: port, isReadOnly: arguments.has("--read-only") || !mayChange,
                users: arguments.has("--any-user") ? nil : users, manifests: desk)
            try PageSession(proxy, arguments, terminal).run()
        } catch {
            throw .cannotCreate("the page cannot be served; \(error); choose another port with --port, or none")
        }
        guard !proxy.isBesieged else {
            throw Failure(
                ExitStatus.fault,
                "\(PageKeys.wrongKeys) wrong keys were sent; 127.0.0.1:\(proxy.port): somebody guesses; see who is on this "
                    + "machine, and run taskhost ui again")
        }
        return ExitStatus.success
    }

    /// Whose browser it may be: this user's, and that of who logged in and became this user.
    private static var users: Set<UInt32> {
        // What /proc says of a process that nobody logged in for is no user.
        let login = try? FileText.read("/proc/self/loginuid")
        let texts = [login, ThisProcess.isRoot ? ThisProcess.variable("SUDO_UID") : nil]
        let others = texts.compactMap { $0.flatMap { UInt32($0.prefix { $0.isNumber }) } }
        return Set([ThisProcess.user] + others.filter { $0 != .max })
    }

    /// Whether this user may change anything. Asks the daemon, which has to serve.
    private static func mayChange(_ arguments: Arguments) throws(Failure) -> Bool {
        // A host of an earlier version does not say, and refuses what it does not allow.
        try HostAccess.open(arguments).document(.host)["mayChange"]?.bool ?? true
    }
}
