import Glibc

/// How the probe is called: `confinement-probe [OPTION…] ACTION [ARGUMENT [ARGUMENT]]`.
///
/// Arguments that begin with `@` name places in the scratch folder: `@state`, `@cache`, `@outside/secret`, `@granted`,
/// `@shared`, `@socket`.
struct Options {
    /// `--as N`: be this ordinary user from the beginning; else the probe acts as the user that started it.
    var user: UInt32?
    /// `--account N`: the worker becomes this user, who owns the whole scratch folder and the victim.
    var account: UInt32?
    /// `--abi N`: pretend that the kernel's Landlock is no newer.
    var newestLandlock = Int32.max
    /// `--network`: grant one of the two TCP ports.
    var network = false
    /// `--every-port`: the network grant is for every port.
    var everyPort = false
    /// `--held`: say that the control group holds it to addresses, though it does not.
    var held = false
    /// `--best-effort`
    var bestEffort = false
    /// `--unconfined`: run the action without confinement, to see that it is one that works.
    var unconfined = false
    /// `--fresh`: prepare after the fork, as a fresh process does.
    var fresh = false
    /// `--transfer`: confine it as the transfer process confines itself.
    var transfer = false
    /// `--exec`: confine a fresh process instead of a forked one.
    var exec = false
    /// `--resume ROOT VICTIM PORT PORT`: this is that process.
    var resumption: [String] = []
    /// `--orphan`: confine a grandchild of the process that made the template.
    var orphan = false
    /// `--layout 345`: the numbers, 3 to 5, that wire, log and library have before; empty for any.
    var layout: [Int32] = []
    /// `--processes N`, `--file-size N`, `--data-size N`
    var processes: UInt64 = 0
    var fileSize: UInt64 = 1 << 20
    var dataSize: UInt64 = 0
    var action: [String] = []

    init?(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let option = rest.first, option.hasPrefix("--") {
            rest = rest.dropFirst()
            switch option {
            case "--network": network = true
            case "--every-port": everyPort = true
            case "--held": held = true
            case "--best-effort": bestEffort = true
            case "--unconfined": unconfined = true
            case "--fresh": fresh = true
            case "--transfer": transfer = true
            case "--exec": exec = true
            case "--resume":
                resumption = Array(rest.prefix(4))
                rest = rest.dropFirst(4)
            case "--orphan": orphan = true
            default:
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                switch option {
                case "--as": user = UInt32(clamping: number)
                case "--account": account = UInt32(clamping: number)
                case "--abi": newestLandlock = Int32(clamping: number)
                case "--layout": layout = String(number).compactMap { $0.wholeNumberValue.map(Int32.init) }
                case "--processes": processes = number
                case "--file-size": fileSize = number
                case "--data-size": dataSize = number
                default: return nil
                }
            }
        }
        action = Array(rest)
        guard (1...3).contains(action.count) else { return nil }
    }
}
