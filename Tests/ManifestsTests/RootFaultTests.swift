import Testing

@Suite struct RootFaultTests {
    static let cases = FaultCase.parse(
        #"""
        R []
        = $: found an empty array; expected an object, a manifest
        R {}
        = $.identifier: found nothing; expected an identifier such as "com.example.feeds"; add "identifier"
        = $.tasks: found nothing; expected an object of tasks by identifier; add "tasks", or a "library" that is an application
        R {"identifier": "com.example.a", "tasks": {}}
        = $.tasks: found an empty object; expected at least one task; add "tasks", or a "library" that is an application
        R {"identifier": "com.example.a", "library": "l.so"}
        R {"identifier": "com.example.a", "library": "l.so", "tasks": {}, "scene": "Reader.Scenes.Delegate_2"}
        X "library": "l.so", "scene": "SceneDelegate"
        = $.scene: found "SceneDelegate"; expected a class with its module, such as "Reader.SceneDelegate"; a class is found by its module's name and its own
        X "library": "l.so", "scene": "Reader..Scene"
        = $.scene: found "Reader..Scene"; expected a class with its module, such as "Reader.SceneDelegate"; a class is found by its module's name and its own
        X "library": "l.so", "scene": 1
        = $.scene: found the number 1; expected a class with its module, such as "Reader.SceneDelegate"
        R {"identifier":"a.b","scene":"A.B","tasks":{"a.c":{"kind":"processing","handler":{"library":"libc.so.6","symbol":"sync","signature":"void()"}}}}
        = $.scene: found "A.B"; expected no "scene" without a "library"; the class is one of its own
        R {"identifier": 7, "tasks": []}
        = $.identifier: found the number 7; expected an identifier such as "com.example.feeds"
        = $.tasks: found an empty array; expected an object of tasks by identifier
        R {"identifier": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "library": "l.so", "tasks": {"com.example.a": {"kind": "processing"}}}
        = $.identifier: found "01ARZ3NDEKTSV4RRFFQ69G5FAV" at character 1 of "01ARZ3NDEKTSV4RRFFQ69G5FAV"; expected an identifier such as "com.example.feeds"; these 26 characters are a run's id
        R {"identifier": "com..a", "library": "l.so", "tasks": {"-a.b": {"kind": "processing"}}}
        = $.identifier: found "." at character 5 of "com..a"; expected an identifier such as "com.example.feeds"; no label between two dots may be empty
        = $.tasks["-a.b"]: found the label "-a" at character 1 of "-a.b"; expected an identifier such as "com.example.feeds"; a label may not begin or end with a hyphen
        R {"identifier": "com.exämple", "library": "l.so", "tasks": {"a.b ": {"kind": "processing"}}}
        = $.identifier: found "ä" at character 7 of "com.exämple"; expected an identifier such as "com.example.feeds"; labels hold letters, digits, hyphens and underscores of ASCII, with dots between
        = $.tasks["a.b "]: found " " at character 4 of "a.b "; expected an identifier such as "com.example.feeds"; labels hold letters, digits, hyphens and underscores of ASCII, with dots between
        R {"identifier": "com.example.a", "library": "l.so", "tasks": {"a.b": []}}
        = $.tasks["a.b"]: found an empty array; expected an object, a task
        R {"identifier": "com.example.a", "tasks": {"a.b": {"kind": "processing"
        = $: found the end of the text; expected ',' or '}' after a member
        X "library": ""
        = $.library: found an empty string; expected a library's path or soname
        X "library": 3
        = $.library: found the number 3; expected a library's path or soname
        X "library": "a\u0000b"
        = $.library: found "a\u0000b"; expected a library's path or soname without control characters
        X "library": "l", "name": "", "version": 2
        = $.name: found an empty string; expected a name for people
        = $.version: found the number 2; expected a version such as "1.0"
        X "library": "l", "sha256": "abc"
        = $.sha256: found "abc"; expected 64 hexadecimal digits, the library's SHA-256; sha256sum prints it
        X "library": "l", "sha256": "gggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg"
        = $.sha256: found "gggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg…"; expected 64 hexadecimal digits, the library's SHA-256; sha256sum prints it
        R {"identifier":"a.b","sha256":"0000000000000000000000000000000000000000000000000000000000000000","tasks":{"a.c":{"kind":"processing","handler":{"library":"libc.so.6","symbol":"sync","signature":"void()"}}}}
        = $.sha256: found "000000000000000000000000000000000000000000000000000000000000…"; expected no "sha256" without a "library"; it pins the library's file
        X "library": "l", "backgroundModes": "fetch"
        = $.backgroundModes: found "fetch"; expected an array of background modes
        X "library": "l", "backgroundModes": ["fetch", "procesing"]
        = $.backgroundModes[1]: found "procesing"; expected one of "fetch", "processing", "audio", "location", "voip", "external-accessory", "bluetooth-central", "bluetooth-peripheral", "remote-notification"; did you mean "processing"?
        X "library": "l", "backgroundModes": ["fetch", "fetch"]
        = warning: $.backgroundModes[1]: found "fetch"; expected each mode once
        X "library": "l", "user": "0"
        = $.user: found "0"; expected the name of a user of this machine
        X "library": "l", "group": "adm"
        = $.group: found "adm"; expected no "group" without a "user"; name the user who has it
        X "library": "l", "isolation": "process"
        = $.isolation: found "process"; expected one of "zygote", "exec", "run"
        X "library": "l", "isolation": "Zygote"
        = $.isolation: found "Zygote"; expected one of "zygote", "exec", "run"; did you mean "zygote"?
        X "library": "l", "enforcement": "besteffort"
        = $.enforcement: found "besteffort"; expected one of "strict", "bestEffort"; did you mean "bestEffort"?
        X "library": "l", "enforcement": null
        = $.enforcement: found null; expected one of "strict", "bestEffort"
        X "libary": "l"
        = $.libary: found the unknown key "libary"; expected one of $schema, identifier, name, version, library, sha256, backgroundModes, tasks, permissions, isolation, confinement, user, group, enforcement, misuse, sdk, scene, transfers; did you mean "library"?
        X "library": "l", "color": "red"
        = $.color: found the unknown key "color"; expected one of $schema, identifier, name, version, library, sha256, backgroundModes, tasks, permissions, isolation, confinement, user, group, enforcement, misuse, sdk, scene, transfers
        T
        = §.kind: found nothing; expected one of "appRefresh", "processing", "continuedProcessing", "healthResearch"; add "kind"
        T "kind": "backgroundFetch"
        = §.kind: found "backgroundFetch"; expected one of "appRefresh", "processing", "continuedProcessing", "healthResearch"
        T "kind": "refresh"
        = §.kind: found "refresh"; expected one of "appRefresh", "processing", "continuedProcessing", "healthResearch"; did you mean "appRefresh"?
        T "kind": "apprefresh"
        = §.kind: found "apprefresh"; expected one of "appRefresh", "processing", "continuedProcessing", "healthResearch"; did you mean "appRefresh"?
        T "kind": 1
        = §.kind: found the number 1; expected one of "appRefresh", "processing", "continuedProcessing", "healthResearch"
        T "kind": "appRefresh", "handlers": "f"
        = §.handlers: found the unknown key "handlers"; expected one of kind, handler, budget, schedule, after, priority, retry, onFailure, onOutput, settings, secrets, requires, learned; did you mean "handler"?
        T "kind": "appRefresh", "handler": "9lives"
        = §.handler: found "9lives"; expected an exported C function's name; it holds letters, digits and underscores, and begins with no digit
        T "kind": "appRefresh", "handler": ""
        = §.handler: found an empty string; expected an exported C function's name
        T "kind": "appRefresh", "handler": []
        = §.handler: found an empty array; expected a symbol's name, or an object for a program or a foreign function
        T "kind": "appRefresh", "handler": "a.b"
        = §.handler: found "a.b"; expected an exported C function's name; it holds letters, digits and underscores, and begins with no digit
        T "kind": "appRefresh", "settings": []
        = §.settings: found an empty array; expected an object
        T "kind": "appRefresh", "requires": {"externalPower": "true", "networks": true}
        = §.requires.externalPower: found "true"; expected true or false; write true without quotes
        = §.requires.networks: found the unknown key "networks"; expected one of externalPower, anyPower, network, idle, disk, paths, changed; did you mean "network"?
        T "kind": "appRefresh", "requires": {"paths": "$STATE/*"}
        = §.requires.paths: found "$STATE/*"; expected an array of paths
        T "kind": "appRefresh", "requires": {"paths": ["$STATE/in*/a", "$STATE", "$STATE/", "inbox/*", 1, "/a/../b"]}
        = §.requires.paths[0]: found "$STATE/in*/a"; expected "*" and "?" in the last part only; write one pattern for each folder
        = §.requires.paths[1]: found "$STATE"; expected a file's name, or a pattern for it, behind the folder; write "…/*" for all of a folder
        = §.requires.paths[2]: found "$STATE/"; expected a file's name, or a pattern for it, behind the folder; write "…/*" for all of a folder
        = §.requires.paths[3]: found "inbox/*"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        = §.requires.paths[4]: found the number 1; expected a path
        = §.requires.paths[5]: found "/a/../b"; expected a path without ".."; name the folder itself
        T "kind": "appRefresh", "requires": {"changed": ["$STATE/a", "/data/*", "$CACHES/*"]}
        = §.requires.changed[1]: found "/data/*"; expected a path that the permissions let the application read; add its folder to "permissions"."read"
        = §.requires.changed[2]: found "$CACHES/*"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; did you mean "$CACHE"?
        T "kind": "appRefresh", "requires": {"paths": ["$STATE/1", "$STATE/2", "$STATE/3", "$STATE/4", "$STATE/5", "$STATE/6", "$STATE/7", "$STATE/8", "$STATE/9", "$STATE/10", "$STATE/11", "$STATE/12", "$STATE/13", "$STATE/14", "$STATE/15", "$STATE/16", "$STATE/17"]}
        = §.requires.paths: found an array of 17; expected at most 16
        T "kind": "appRefresh", "requires": true
        = §.requires: found true; expected an object
        T "kind": "appRefresh", "Kind": "processing"
        = §.Kind: found the unknown key "Kind"; expected one of kind, handler, budget, schedule, after, priority, retry, onFailure, onOutput, settings, secrets, requires, learned; did you mean "kind"?
        R {"identifier":"a.b","tasks":{"a.c":{"kind":"processing"}}}
        = $.tasks["a.c"].handler: found nothing; expected a library that registers the handler, or a foreign function with a "library"; add "library" to the manifest
        R {"identifier":"a.b","tasks":{"a.c":{"kind":"processing","handler":"f"}}}
        = $.tasks["a.c"].handler: found "f"; expected a library that exports the symbol; add "library" to the manifest
        R {"identifier":"a.b","tasks":{"a.c":{"kind":"processing","handler":{"symbol":"f","signature":"void()"}}}}
        = $.tasks["a.c"].handler: found a foreign function without library; expected a "library" here or in the manifest
        R {"identifier":"a.b","library":"l","backgroundModes":["processing"],"tasks":{"a.c":{"kind":"appRefresh"}}}
        = warning: $.tasks["a.c"].kind: found "appRefresh"; expected "fetch" among the manifest's backgroundModes; without it every request for the task is refused
        R {"identifier":"a.b","library":"l","backgroundModes":[],"tasks":{"a.c":{"kind":"processing"}}}
        = warning: $.tasks["a.c"].kind: found "processing"; expected "processing" among the manifest's backgroundModes; without it every request for the task is refused
        X "library": "l", "sdk": "28"
        = $.sdk: found "28"; expected one of "26", "27"; did you mean "26"?
        X "library": "l", "sdk": 27
        = $.sdk: found the number 27; expected one of "26", "27"
        X "library": "l", "misuse": "ignore"
        = $.misuse: found "ignore"; expected one of "trap", "report"
        R {"identifier":"a.*","library":"l","tasks":{"a.c":{"kind":"appRefresh"}}}
        = $.identifier: found "*" at character 3 of "a.*"; expected an identifier such as "com.example.feeds"; labels hold letters, digits, hyphens and underscores of ASCII, with dots between
        R {"identifier":"a.b","library":"l","tasks":{"*":{"kind":"continuedProcessing"},"a.*.b":{"kind":"continuedProcessing"}}}
        = $.tasks["*"]: found "*" at character 1 of "*"; expected an identifier such as "com.example.feeds"; labels hold letters, digits, hyphens and underscores of ASCII, with dots between
        = $.tasks["a.*.b"]: found "*" at character 3 of "a.*.b"; expected an identifier such as "com.example.feeds"; labels hold letters, digits, hyphens and underscores of ASCII, with dots between
        R {"identifier":"a.b","library":"l","tasks":{"a.b.*":{"kind":"processing"}}}
        = $.tasks["a.b.*"]: found "a.b.*"; expected an identifier without "*"; only tasks of the kind continuedProcessing may have many identifiers
        R {"identifier":"a.b","library":"l","tasks":{"a.b.*":{"kind":"continuedProcessing","schedule":{"every":"1h"}}}}
        = $.tasks["a.b.*"].schedule: found an object; expected no schedule for many identifiers; schedule a task with an identifier of its own
        R {"identifier":"a.b","tasks":{"a.b.*":{"kind":"continuedProcessing","handler":{"library":"l","symbol":"f","signature":"void()"}}}}
        = $.tasks["a.b.*"].handler: found a foreign function for many identifiers; expected a symbol, or a handler that the application registers
        """#)

    @Test func everyCaseOfTheTableIsRead() { #expect(Self.cases.count == 64) }

    @Test("A fault of the root and of tasks is reported in these words", arguments: cases)
    func faultIsTold(_ fault: FaultCase) {
        #expect(ManifestText.messages(fault.manifest) == fault.messages)
    }
}
