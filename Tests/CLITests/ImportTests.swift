import Foundation
import Glibc
import Testing

/// A crontab as users have them: every line becomes a task or is named.
@Suite("taskhost import crontab")
struct ImportTests {
    struct Line: CustomTestStringConvertible {
        var text: String
        /// Its task's calendar, or words of the reason that it has none.
        var result: String
        var isRefused = false
        var testDescription: String { text }

        init(_ text: String, _ result: String, refused: Bool = false) {
            (self.text, self.result, isRefused) = (text, result, refused)
        }
    }

    static let lines = [
        Line("0 5 * * 1 tar -zcf /var/backups/home.tgz /home/", "0 5 * * 1"),
        Line("*/5 * * * * /usr/lib/sysstat/debian-sa1 1 1", "*/5 * * * *"),
        Line("@daily find /tmp/cache -mtime +7 -delete", "0 0 * * *"), Line("@hourly date", "0 * * * *"),
        Line("@Weekly date", "0 0 * * 0"), Line("@monthly date", "0 0 1 * *"), Line("@annually date", "0 0 1 1 *"),
        Line("30 2 * * mon-fri pg_dump app | gzip >app.gz", "30 2 * * MON-FRI"),
        Line("15 14 1 * * $HOME/bin/monthly", "15 14 1 * *"),
        Line(#"0 22 * * 1-5 printf "It is 10pm\n" \%d%Joe,%%Where are your kids?%"#, "0 22 * * 1-5"),
        Line("23 0-23/2 * * * echo run 23 minutes after midn, 2am, 4am ..., everyday", "23 0-23/2 * * *"),
        Line("5 4 * * sun echo run at 5 after 4 every sunday", "5 4 * * SUN"),
        Line("0 0 1,15 * 3 date", "0 0 1,15 * 3"),
        Line("0 3 * JAN,jul * date", "0 3 * JAN,JUL *"), Line("10 10 * * 7 date", "10 10 * * 7"),
        Line("-*/10 * * * * date", "*/10 * * * *"), Line("  7\t7 *  * * echo indented", "7 7 * * *"),
        Line("0 0 */2 * * date", "0 0 */2 * *"), Line("0 12 * * * cd /srv && ls | wc -l", "0 12 * * *"),
        Line(#"0 6 * * * echo 'it'"'"'s' $(date)"#, "0 6 * * *"), Line("0 1 * * * A=b /opt/app/job --x", "0 1 * * *"),
        Line("59 23 31 12 * echo year", "59 23 31 12 *"), Line("0 0 29 2 * echo leap", "0 0 29 2 *"),
        Line("60 * * * * date", "from 0 to 59", refused: true),
        Line("0 0 30 2 * date", "some year has", refused: true), Line("@fortnightly date", "unknown", refused: true),
        Line("5/15 * * * * date", "after a single value", refused: true),
        Line("~ 3 * * * date", "0 to 59", refused: true),
        Line("* * * *", "day of week", refused: true), Line("* * * * *", "no command", refused: true),
    ]

    private func importing(_ text: String, _ words: String..., environment: [String: String] = [:]) throws -> (
        tool: Tool, folder: Folder
    ) {
        let folder = try Folder()
        try folder.write("crontab", text)
        var known = ["HOME": folder.path, "LOGNAME": "me"]
        known.merge(environment) { $1 }
        let tool = try Tool.run(
            ["import", "crontab", "crontab", "--directory", "manifests"] + words, in: folder, environment: known)
        return (tool, folder)
    }

    /// The identifiers of a crontab's tasks, in the order of its lines.
    private func names(_ text: String, _ words: String...) throws -> [String] {
        let folder = try Folder()
        try folder.write("crontab", text)
        let tool = try Tool.run(
            ["import", "crontab", "crontab", "--directory", "manifests", "--json"] + words, in: folder)
        let tasks = try #require(try tool.document["tasks"] as? [[String: Any]], "\(tool)")
        return tasks.compactMap { ($0["identifier"] as? String)?.replacing("local.crontab.", with: "") }
    }

    @Test("names tasks by the comment above a line, or by the program that it is about")
    func names() throws {
        let text = """
            # m h  dom mon dow   command
            0 1 * * * cd /srv && tar czf x.tgz .
            # Nightly backup of the database
            0 2 * * * pg_dump app | gzip > app.gz
            0 2 * * * timeout -k 5 10m nice -n 5 /opt/app/bin/sync.sh --all
            # 0 3 * * * turned off
            0 3 * * * python3 -u /srv/app/report.py
            0 4 * * * test -x /usr/sbin/anacron || run-parts /etc/cron.daily
            # One of several lines,
            # which explain at length what
            # follows here, and why it is
            # as it is.
            0 5 * * * flock -n /run/lock/x sh -c 'A=b rsync -a /a /b'
            0 6 * * * echo done | mail -s nightly me
            # ÄÖ
            0 7 * * * [ -e /x ] && sudo -u ann "$HOME/bin/x y"
            0 8 * * * rsync -a /c /d
            0 9 * * * rsync -a /e /f
            0 10 * * * echo only
            # -----

            0 11 * * * ( : )
            """
        #expect(
            try names(text) == [
                "tar", "nightly-backup-of-the-database", "sync", "report", "run-parts", "rsync", "job-mail", "x",
                "rsync-2", "rsync-3", "echo", "job",
            ])
    }

    @Test("takes every line of a crontab with CR LF, and names those that are no text")
    func lineEnds() throws {
        let lines = "# nightly\r\n0 16 * * * /bin/echo down\r\n2 16 * * * /bin/echo all\r\n"
        for text in [lines, String(lines.dropFirst("# nightly\r\n".count)), "\u{FEFF}" + lines] {
            let (tool, folder) = try importing(text, "--json")
            #expect(try tool.status == 0 && (tool.document["tasks"] as? [Any])?.count == 2, "\(tool)")
            let manifest = try String(contentsOf: folder.file("manifests/local.crontab.json"), encoding: .utf8)
            #expect(manifest.contains("echo down") && !manifest.contains(#"\r"#), "\(manifest)")
        }
        let folder = try Folder()
        let text = "# caf\u{E9}\n0 1 * * * echo caf\u{E9}\n0 2 * * * echo tea\n"
        try #require(text.data(using: .isoLatin1)).write(to: folder.file("crontab"))
        let tool = try Tool.run("import", "crontab", "crontab", "--directory", "manifests", "--json", in: folder)
        #expect(try tool.status == 65 && (tool.document["tasks"] as? [Any])?.count == 1, "\(tool)")
        #expect(tool.errors.contains("line 2 is not imported: it is not UTF-8; convert the file"), "\(tool)")
    }

    @Test("makes several manifests of more tasks than one has, and names what is too large")
    func many() throws {
        let lines = (0..<300).map { "MAILTO=a\($0 % 20)@b\n\($0 % 60) \($0 % 24) * * * /bin/echo \($0)\n" }.joined()
        let large = "0 0 * * * echo \(String(repeating: "x", count: 20_000))\n"
        let (tool, folder) = try importing(lines + large, "--json", environment: ["TASKHOST_SENDMAIL": "/bin/cat"])
        #expect(tool.status == 65, "\(tool.errors)")
        let document = try tool.document
        #expect((document["tasks"] as? [Any])?.count == 300 && (document["manifests"] as? [Any])?.count == 2)
        #expect(tool.errors.contains("line 601 is not imported: it, or a variable, has more than 16 KiB"))
        let validate = try Tool.run("validate", "manifests", in: folder)
        #expect(validate.status == 0, "\(validate)")
        // A program that writes too much: an answer, and no list without an end.
        let wrong = try importing(String(repeating: "0 0 * * x y\n", count: 100_000)).tool
        #expect(wrong.status == 65 && wrong.sentences.count < 150, "\(wrong.sentences.count)")
        #expect(wrong.errors.contains("99900 more lines are not imported; --json names them all"))
    }

    @Test("names the lines that leave a process behind")
    func leaving() throws {
        let (tool, _) = try importing(
            "0 1 * * * date && true\n0 2 * * * nohup /x/daemon >/dev/null 2>&1 &\n0 3 * * * (sleep 1) &\n0 4 * * * a & wait\n"
        )
        #expect(tool.errors.contains("note: line 2 and 1 more: what it leaves running behind it is ended"), "\(tool)")
        #expect(try !importing("0 1 * * * date && true\n").tool.errors.contains("behind it"))
    }

    @Test("has @reboot once a boot of the machine")
    func boot() throws {
        let (tool, folder) = try importing("@reboot /usr/bin/agent\n@Reboot date\n", "--json")
        let tasks = try #require(try tool.document["tasks"] as? [[String: Any]])
        #expect(tool.status == 0 && tasks.count == 2 && tasks.allSatisfy { $0["boot"] as? Bool == true }, "\(tool)")
        let manifest = try String(contentsOf: folder.file("manifests/local.crontab.json"), encoding: .utf8)
        #expect(manifest.contains(#""boot": true"#), "\(manifest)")
        #expect(try Tool.run("validate", "manifests", in: folder).status == 0)
    }

    @Test("says that a crontab looks like one of the system")
    func ofSystem() throws {
        let (tool, _) = try importing("17 * * * * root cd / && run-parts /etc/cron.hourly\n0 1 * * * daemon date\n")
        #expect(tool.errors.contains("a system crontab is imported with --user-column"), "\(tool)")
        let (own, _) = try importing("17 * * * * root cd /\n0 1 * * * date\n")
        #expect(!own.errors.contains("--user-column"), "\(own)")
    }

    @Test("mails what commands print to MAILTO, or to the user, where there is a mailer")
    func mail() throws {
        let folder = try Folder()
        let mailer = folder.path + "/sendmail"
        try folder.writeProgram("sendmail", "#!/bin/sh\ncat >\(folder.path)/mail.$$\n")
        try folder.write(
            "crontab",
            "0 4 * * * date\nMAILTO=ops@example.com\n0 5 * * * exit 3\nMAILTO=me,you@example.com\n0 6 * * * true\nMAILTO=\n0 7 * * * true\n"
        )
        let tool = try Tool.run(
            "import", "crontab", "crontab", "--directory", "manifests", in: folder,
            environment: ["HOME": folder.path, "LOGNAME": "me", "TASKHOST_SENDMAIL": mailer])
        #expect(tool.status == 0 && tool.errors.contains("MAILTO became"), "\(tool)")
        let text = try Data(contentsOf: folder.file("manifests/local.crontab.json"))
        let manifest = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let tasks = try #require(manifest["tasks"] as? [String: [String: Any]])
        let readers = tasks.sorted { $0.key < $1.key }.map { $0.value["onOutput"] as? String }
        let mails = ["mail", "mail-2", "mail-3"].map { "local.crontab." + $0 }
        #expect(readers.compactMap(\.self) == mails, "\(tasks.keys)")
        #expect(
            tool.errors.contains("is mailed to \(geteuid() == 0 ? "root" : NSUserName()), as under cron"), "\(tool)")
        #expect((tasks["local.crontab.mail"]?["retry"] as? [String: Any])?["attempts"] as? Int == 5)
        let validate = try Tool.run("validate", "manifests", in: folder)
        #expect(validate.status == 0, "\(validate)")
        let command = try #require((tasks["local.crontab.mail-3"]?["handler"] as? [String: [String]])?["command"])
        try folder.write("script", command[2])
        let sent = try Tool.shell(
            #"printf 'a.b: failed, exit status 3\n\ntext\n\nc.d: succeeded\n' | /bin/sh script"#, in: folder)
        #expect(sent.status == 0, "\(sent)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("mail.") }
        let mail = try String(contentsOf: folder.file(try #require(names.first)), encoding: .utf8)
        #expect(
            mail.hasPrefix("To: me,you@example.com\nSubject: taskhost: a.b: failed, exit status 3\n")
                && mail.hasSuffix(": 8bit\n\ntext\n\nc.d: succeeded\n"),
            "\(mail)")
    }

    @Test("makes a task of each line, or names it with the reason")
    func whole() throws {
        let head = "# a comment\n\nSHELL=/bin/sh\nMAILTO=me@example.com\nGREETING = \"hello there\"\n"
        let (tool, folder) = try importing(head + Self.lines.map(\.text).joined(separator: "\n") + "\n", "--json")
        #expect(tool.status == 65, "\(tool)")
        let document = try tool.document
        let tasks = try #require(document["tasks"] as? [[String: Any]])
        let refused = try #require(document["refused"] as? [[String: Any]])
        for (index, line) in Self.lines.enumerated() {
            let number = index + 6
            if line.isRefused {
                let reason = refused.first { $0["line"] as? Int == number }?["reason"] as? String
                #expect(reason?.contains(line.result) == true, "\(line.text): \(reason ?? "nothing")")
                #expect(tool.errors.contains("line \(number) is not imported: "))
            } else {
                let calendar = tasks.first { $0["line"] as? Int == number }?["calendar"] as? String
                #expect(calendar == line.result, "\(line.text)")
            }
        }
        #expect(tasks.count + refused.count == Self.lines.count)
        #expect(tool.errors.contains("MAILTO is left out"))
        let validate = try Tool.run("validate", "manifests", in: folder)
        #expect(validate.status == 0 && validate.output.contains("\(tasks.count) tasks"), "\(validate)")
    }

    @Test("takes what crontab -l prints through a pipe, without another word")
    func piped() throws {
        let folder = try Folder()
        let tool = try Tool.shell(
            "echo '5 4 * * * /usr/local/bin/backup' | \"$taskhost\" import --directory manifests", in: folder)
        #expect(tool.status == 0, "\(tool)")
        #expect(try Tool.run("validate", "manifests", in: folder).status == 0)
        let silent = try Tool.shell("\"$taskhost\" import --directory manifests </dev/null", in: folder)
        #expect(silent.status == 64 && silent.errors.contains("write taskhost import crontab or timers"), "\(silent)")
    }

    @Test("gives commands the variables, the folder and the input that cron gives them")
    func runs() throws {
        let text = """
            GREETING=it's
            CRON_TZ=Europe/Berlin
            0 3 * * * echo "$GREETING" $LOGNAME; test "$PWD" = "$HOME" && echo home; cat%one line%two \\% lines
            """
        let (tool, folder) = try importing(text)
        #expect(tool.status == 0, "\(tool)")
        #expect(tool.output.contains("local.crontab.cat") && tool.output.contains("with 1 task"))
        let manifest = try String(contentsOf: folder.file("manifests/local.crontab.json"), encoding: .utf8)
        #expect(manifest.contains(#""timeZone": "Europe/Berlin""#) && manifest.contains(#""overlap": "skip""#))
        #expect(manifest.contains(#""memory": "none""#), "\(manifest)")
        let run = try Tool.run(
            "run", "local.crontab.cat", "--manifests", "manifests", "--state", "state", in: folder)
        #expect(run.status == 0 && run.errors.contains("it's \(NSUserName())\nhome\none line\ntwo % lines\n"), "\(run)")
    }

    @Test("makes a manifest for each user of a crontab with a column of users, for root", .enabled(if: geteuid() == 0))
    func users() throws {
        let text =
            "17 * * * * root run-parts /etc/cron.hourly\n0 1 * * * games id -un\n0 2 * * * nobody-like-that date\n"
        let (tool, folder) = try importing(text, "--user-column", "--json")
        #expect(tool.status == 65)
        let document = try tool.document
        #expect((document["tasks"] as? [[String: Any]])?.count == 2)
        #expect((document["manifests"] as? [String])?.count == 2)
        #expect(tool.errors.contains("line 3 is not imported: it runs as nobody-like-that"))
        let manifest = folder.file("manifests/local.crontab.games.json").path
        let run = try Tool.run("run", "--all", "--manifests", manifest, "--state", "state", in: folder)
        #expect(run.status == 0 && run.errors.contains("games\n"), "\(run)")
        let allowed = try Tool.run("validate", folder.file("manifests/local.crontab.root.json").path, in: folder)
        #expect(allowed.status == 0 && allowed.errors.contains("runs as the user root"), "\(allowed)")
    }

    @Test("tries each line once when asked, and shows what came of it")
    func trial() throws {
        let (tool, folder) = try importing(
            "# fine\n0 1 * * * true\n# bad\n0 2 * * * exit 3\n", "--try", "--state", "state")
        #expect(tool.status == 0, "\(tool)")
        let rows = tool.output.split(separator: "\n").map(String.init)
        for (task, outcome) in [("local.crontab.fine", "succeeded"), ("local.crontab.bad", "failed")] {
            #expect(rows.contains { $0.contains(task) && $0.contains(outcome) }, "\(tool.output)")
        }
        let history = try Tool.run("history", "--json", "--state", folder.path + "/state")
        #expect((try history.document["runs"] as? [Any])?.count == 2)
        let odd = try importing("0 1 * * * true\n", "--try", "--json").tool
        #expect(odd.status == 64, "\(odd)")
    }

    @Test("writes the drop-in only when asked, and says how it comes into force", .enabled(if: geteuid() == 0))
    func dropIn() throws {
        let folder = try Folder()
        // In a file system of its own: the machine's units stay as they are.
        let script = """
            mkdir -p /etc/systemd/system && mount -t tmpfs none /etc/systemd/system && "$taskhost" import --unit &&
                cat /etc/systemd/system/taskhost.service.d/unconfined.conf
            """
        let tool = try Tool.shell("exec unshare -m sh -c '\(script)'", in: folder)
        #expect(tool.status == 0, "\(tool)")
        #expect(tool.errors.contains("systemctl daemon-reload && systemctl restart taskhost"), "\(tool)")
        for line in ["NoNewPrivileges=no", "CapabilityBoundingSet=~", "RestrictSUIDSGID=no"] {
            #expect(tool.output.contains(line + "\n"), "\(tool)")
        }
    }

    @Test("overwrites nothing, and writes nothing when asked to show the manifest")
    func careful() throws {
        let (first, folder) = try importing("0 1 * * * date\n")
        #expect(first.status == 0)
        let words = ["import", "crontab", "crontab", "--directory", "manifests"]
        let again = try Tool.run(words, in: folder)
        #expect(again.status == 73 && again.sentences.contains { $0.contains("--force") }, "\(again)")
        #expect(try Tool.run(words + ["--force"], in: folder).status == 0)
        let shown = try Tool.run(
            "import", "crontab", "crontab", "--dry-run", "--application", "com.example.x", in: folder)
        #expect(shown.status == 0 && shown.output.contains(#""com.example.x.date""#))
        #expect(!FileManager.default.fileExists(atPath: folder.file("manifests/com.example.x.json").path))
    }

    @Test(
        "refuses what it does not know",
        arguments: [
            ["import"], ["import", "crontabs"], ["import", "crontab", "a", "b"],
            ["import", "crontab", "--application", "."],
        ])
    func usage(_ words: [String]) throws {
        #expect(try Tool.run(words).status == 64)
    }

    @Test("says that a crontab cannot be read")
    func unreadable() throws {
        let tool = try Tool.run("import", "crontab", "/not/there")
        #expect(tool.status == 73 && tool.sentences.contains { $0.contains("cannot be read") }, "\(tool)")
    }
}
