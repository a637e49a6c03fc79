import Foundation

/// Background transfers beside curl, aria2c and wget: one large file, many small ones, and many that wait.
enum TransferRow {
    static let queued = 10_000

    /// What fetching took.
    struct Cost {
        var wall: Double
        var processor: Double
    }

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let server = try FileServer()
        var rows = try large(laboratory, server) + small(laboratory, server)
        if !laboratory.options.referencesOnly { rows += try waiting(laboratory, server) }
        return rows
    }

    // MARK: One large file

    private static func large(_ laboratory: Laboratory, _ server: FileServer) throws -> [RowResult] {
        func peer(_ path: String, _ arguments: @escaping (String) -> [String], inMemory: Bool = false) -> () throws ->
            Cost
        {
            {
                try laboratory.withFolder { folder in
                    let target = inMemory ? server.folder : folder
                    return try cost(
                        of: Command(path: path, arguments: arguments(target)), syncing: inMemory ? nil : target)
                }
            }
        }
        let curl = { (folder: String) in ["--silent", "--fail", "--output", "\(folder)/got", server.large] }
        var contestants: [() throws -> Cost] = [
            peer("/usr/bin/curl", curl, inMemory: true),
            peer("/usr/bin/curl", curl),
            peer("/usr/bin/aria2c", { ["--quiet", "--dir", $0, "--out", "got", server.large] }),
            peer("/usr/bin/wget", { ["--quiet", "--output-document", "\($0)/got", server.large] }),
        ]
        if !laboratory.options.referencesOnly {
            contestants.append { try ours(laboratory, [server.large]) }
        }
        let samples = try laboratory.interleaved(contestants) + [[]]
        let figures = samples[4]
        func row(
            _ name: String, _ title: String, _ figure: (Cost) -> Double, _ reference: Int, _ beside: String,
            atMost: Double? = nil
        ) -> RowResult {
            Comparison(ours: figures.map(figure), reference: samples[reference].map(figure)).row(
                name, title, unit: .seconds, beside: beside, atMost: atMost)
        }
        return [
            row("transferWall", "download of 1 GiB, durable", \.wall, 0, "curl to tmpfs", atMost: 1.0),
            row("transferCPU", "… its processor time, all of the host", \.processor, 0, "curl to tmpfs", atMost: 0.8),
            row("transferDisk", "… its time", \.wall, 1, "curl and sync", atMost: 0.9),
            row("transferAria2", "… the same", \.wall, 2, "aria2c and sync"),
            row("transferWget", "… the same", \.wall, 3, "wget and sync"),
        ]
    }

    // MARK: Many small files

    private static func small(_ laboratory: Laboratory, _ server: FileServer) throws -> [RowResult] {
        let urls = (0..<FileServer.smallFiles).map { server.small($0) }
        func peer(_ path: String, _ arguments: @escaping (String) -> [String], syncs: Bool) -> () throws -> Cost {
            {
                try laboratory.withFolder { folder in
                    try Data(urls.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/urls"))
                    let config = urls.map { "url = \"\($0)\"\nremote-name" }.joined(separator: "\n")
                    try Data(config.utf8).write(to: URL(fileURLWithPath: "\(folder)/config"))
                    return try cost(
                        of: Command(path: path, arguments: arguments(folder)), syncing: syncs ? folder : nil)
                }
            }
        }
        var contestants: [() throws -> Cost] = [
            peer(
                "/usr/bin/curl",
                { ["--silent", "--fail", "--parallel", "--output-dir", $0, "--config", "\($0)/config"] }, syncs: true),
            peer(
                "/usr/bin/aria2c", { ["--quiet", "-j", "16", "--dir", $0, "--input-file", "\($0)/urls"] }, syncs: false),
            peer(
                "/usr/bin/wget", { ["--quiet", "--directory-prefix", $0, "--input-file", "\($0)/urls"] }, syncs: false),
        ]
        if !laboratory.options.referencesOnly {
            contestants.append {
                try laboratory.withFolder { folder in
                    let daemon = try TransferDaemon(laboratory, in: folder, manifest: "fetching")
                    return Cost(wall: try daemon.fetch(urls.count, below: server.smallFolder), processor: 0)
                }
            }
            contestants.append { try ours(laboratory, urls) }
        }
        let samples = try laboratory.keepingFolders { try laboratory.interleaved(contestants) } + [[], []]
        let rates = samples.map { $0.map { Double(FileServer.smallFiles) / $0.wall } }
        func row(
            _ name: String, _ title: String, _ reference: Int, _ beside: String, _ atLeast: Double?, ours: Int = 3
        ) -> RowResult {
            Comparison(ours: rates[ours], reference: rates[reference]).row(
                name, title, unit: .perSecond, beside: beside, atLeast: atLeast)
        }
        return [
            row("transferFiles", "files of 10 KiB, of 1,000, each durable", 0, "curl -Z, one sync", 0.8),
            row("transferFilesAria2", "… the same", 1, "aria2c, no sync", 1.0),
            row("transferFilesWget", "… the same", 2, "wget, no sync", 1.0),
            row("transferFilesAdded", "… asked for over the control socket", 0, "curl -Z, one sync", nil, ours: 4),
        ]
    }

    // MARK: Many that wait

    private static func waiting(_ laboratory: Laboratory, _ server: FileServer) throws -> [RowResult] {
        let (bytes, wakeUps) = try laboratory.withFolder { folder in
            let daemon = try TransferDaemon(laboratory, in: folder)
            try daemon.overrideDevice(#"{"network": "none"}"#)
            // Not this machine: they wait for the network.
            let url = "http://192.0.2.1/file"
            try daemon.add(Array(repeating: url, count: 100), requests: "\(folder)/requests")
            let before = Memory.proportional(daemon.processIdentifier) ?? 0
            try daemon.add(Array(repeating: url, count: queued), requests: "\(folder)/requests")
            let after = Memory.proportional(daemon.processIdentifier) ?? 0
            let wakeUps = try IdleRow.wakeUps(of: daemon.processIdentifier)
            return ((after - before) / Double(queued), wakeUps)
        }
        return [
            RowResult(
                name: "bytesPerTransfer", title: "memory of a transfer that waits, of 10,000", unit: .bytes,
                ours: bytes,
                referenceTitle: "", aim: "≤ 2048 bytes", verdict: bytes <= 2048 ? .met : .missed, isCount: true),
            RowResult(
                name: "queuedWakeUps", title: "wake-ups of a daemon with them in a minute", unit: .count, ours: wakeUps,
                referenceTitle: "", aim: "0", verdict: wakeUps == 0 ? .met : .missed, isCount: true),
        ]
    }

    // MARK: Costs

    /// From the request to the news of the last end, by a daemon that has fetched nothing before.
    private static func ours(_ laboratory: Laboratory, _ urls: [String]) throws -> Cost {
        try laboratory.withFolder { folder in
            let daemon = try TransferDaemon(laboratory, in: folder)
            try daemon.watch()
            let before = try daemon.processorTime()
            let start = DispatchTime.now().uptimeNanoseconds
            try daemon.add(urls, requests: "\(folder)/requests")
            try daemon.waitForEnds(urls.count)
            let wall = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            return Cost(wall: wall, processor: try daemon.processorTime() - before)
        }
    }

    /// Of a program, and of a sync of the file system that it wrote to; `syncing` nil: of none.
    private static func cost(of command: Command, syncing folder: String?) throws -> Cost {
        let before = childrenTime()
        let start = DispatchTime.now().uptimeNanoseconds
        let answer = try command.run()
        guard answer.status == 0 else {
            throw BenchmarkError.failed("\(command.path) ended with status \(answer.status): \(answer.standardError)")
        }
        if let folder { _ = try Command(path: "/usr/bin/sync", arguments: ["--file-system", folder]).run() }
        let wall = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        return Cost(wall: wall, processor: childrenTime() - before)
    }

    /// Seconds that the driver's children that have ended had of the processors.
    private static func childrenTime() -> Double {
        let usage = Command.usageOfChildren
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
