import Manifests
import TaskModel
import Testing

/// `after`, `onFailure` and `onOutput`: names within one manifest.
struct TaskSequenceTests {
    private func read(_ tasks: [String: String], _ more: String = "") -> ManifestResult {
        let members = tasks.sorted { $0.key < $1.key }.map { name, rest in
            #""a.\#(name)":{"kind":"processing","handler":{"command":["/bin/true"]}\#(rest)}"#
        }
        let text = #"{"identifier":"a"\#(more),"tasks":{\#(members.joined(separator: ","))}}"#
        return ManifestDecoder.decode(bytes: Array(text.utf8), path: "m.json", folder: "/m", profile: .modern)
    }

    @Test func `Names other tasks of the manifest`() throws {
        let result = read(["one": #","onFailure":"a.three""#, "two": #","after":"a.one""#, "three": ""])
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        let tasks = try #require(result.application).tasks
        #expect(tasks.first { $0.identifier == "a.two" }?.after == "a.one")
        #expect(tasks.first { $0.identifier == "a.one" }?.onFailure == "a.three")
        let printing = read(["one": #","onOutput":"a.two","onFailure":"a.two""#, "two": ""])
        #expect(printing.diagnostics.isEmpty && printing.application?.tasks.first?.onOutput == "a.two", "\(printing)")
    }

    @Test func `A command is a separate task, which is confined as the others`() throws {
        let result = read(["one": #","onFailure":{"command":["/bin/mail","root"]}"#])
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        let tasks = try #require(result.application).tasks
        #expect(tasks.map(\.identifier) == ["a.one", "a.one.onFailure"] && tasks[0].onFailure == "a.one.onFailure")
        #expect(tasks[1].handler == .command(["/bin/mail", "root"]) && tasks[1].kind == .processing)
        #expect(!tasks[1].requires.idle && tasks[1].onFailure == nil && tasks[1].budget == tasks[0].budget)
        #expect(result.places.tasks.map(\.identifier) == ["a.one", "a.one.onFailure"])
        let plain = try #require(tasks.first)
        #expect(plain.answeredEnds == [.failed])
        for (answer, name) in [(#""a.two""#, "a.two"), (#"{"command":["/bin/mail"]}"#, "a.one.onFailure")] {
            let odd = read([
                "one": #","onFailure":{"when":["unlikeItself","failed"],"do":\#(answer)}"#, "two": "",
            ])
            let task = try #require(odd.application?.tasks.first { $0.identifier == "a.one" }, "\(odd.diagnostics)")
            #expect(task.onFailure == name && task.answeredEnds == [.unlikeItself, .failed])
        }
        let both = read(["one": #","onOutput":{"command":["/bin/cat"]},"onFailure":{"command":["/bin/mail"]}"#])
        #expect(
            both.application?.tasks.map(\.identifier) == ["a.one", "a.one.onFailure", "a.one.onOutput"]
                && both.application?.tasks[0].onOutput == "a.one.onOutput", "\(both)")
    }

    @Test(arguments: Overlap.allCases)
    func `A schedule says what happens to a time that comes during a run`(_ overlap: Overlap) throws {
        // Runs may be as frequent as they like where they may overlap.
        let every = overlap == .allow ? "1s" : "1h"
        let result = read(["one": #","schedule":{"every":"\#(every)","overlap":"\#(overlap.rawValue)"}"#])
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        #expect(try #require(result.application?.tasks.first?.schedule).overlap == overlap)
    }

    @Test(
        arguments: [
            ("https://hooks.example.com/x?y=z", #"["hooks.example.com:443"]"#, ""),
            ("http://127.0.0.1:8080/", #"["loopback:8080"]"#, ""), ("https://[::1]:1/", #"["loopback:*"]"#, ""),
            ("https://hooks.example.com/", #"["*:443"]"#, ""),
            ("https://hooks.example.com/", "[]", "add \"hooks.example.com:443\""),
            ("https://hooks.example.com:8443/", #"["hooks.example.com:443"]"#, "let it reach"),
            ("http://10.0.0.1/", #"["*:80"]"#, "let it reach"), ("http://[::1]/", #"["*:80"]"#, "let it reach"),
            ("https://me:secret@hooks.example.com/", #"["*:443"]"#, "a URL without a user"),
            ("ftp://hooks.example.com/", #"["*:*"]"#, "no URL of HTTP"), ("hooks", #"["*:*"]"#, "no URL of HTTP"),
            ("https://hooks.example.com/#a", #"["*:*"]"#, "no URL of HTTP"),
        ])
    func `A webhook is within the application's permissions`(_ url: String, _ network: String, _ fault: String) throws {
        let result = read(
            ["one": #","onFailure":{"webhook":"\#(url)"}"#], #","permissions":{"network":\#(network)}"#)
        let errors = result.diagnostics.filter { $0.severity == .error }
        if fault.isEmpty {
            #expect(errors.isEmpty, "\(errors)")
            #expect(result.application?.tasks.first?.webhook == url)
        } else {
            #expect(errors.count == 1 && "\(errors)".contains(fault), "\(errors)")
        }
    }

    @Test(
        arguments: [
            (["one": #","after":"a.nobody""#], "expected a task of this manifest"),
            (["one": #","onFailure":"a.nobody""#], "expected a task of this manifest"),
            (["one": #","after":"a.one""#], "does not come after this one itself"),
            (["one": #","after":"a.two""#, "two": #","after":"a.one""#], "does not come after this one itself"),
            (
                ["one": #","after":"a.three""#, "two": #","after":"a.one""#, "three": #","after":"a.two""#],
                "does not come after this one itself"
            ),
            (["one": #","onFailure":{"command":[]}"#], "an empty array"),
            (["one": #","onFailure":{"commnd":["/bin/true"]}"#], "did you mean \"command\"?"),
            (["one": #","onFailure":{"when":[],"do":"a.two"}"#, "two": ""], "an empty array"),
            (["one": #","onFailure":{"when":["late"],"do":"a.two"}"#, "two": ""], "\"unlikeItself\""),
            (["one": #","onFailure":{"when":["failed"]}"#], "add \"do\""),
            (["one": #","onFailure":{"do":"a.nobody"}"#], "expected a task of this manifest"),
            (["one": #","onFailure":["a.two"]"#], "an object with a \"command\" or a \"webhook\""),
            (
                ["one": #","onFailure":{"command":["/bin/true"]}"#, "one.onFailure": ""],
                "no task named \"a.one.onFailure\" beside this command"
            ),
            (["one": #","onFailure":{"webhook":"https://a/"},"after":"a.one""#], "let it reach"),
            (["one": #","onFailure":"a.one""#], "without an \"onFailure\" of its own"),
            (["one": #","onFailure":"a.two""#, "two": #","onFailure":"a.three""#, "three": ""], "of its own"),
            (["one": #","onOutput":"a.nobody""#], "expected a task of this manifest"),
            (["one": #","onOutput":"a.one""#], "without \"onOutput\" and \"onFailure\""),
            (["one": #","onOutput":"a.two""#, "two": #","onFailure":"a.three""#, "three": ""], "of its own"),
            (["one": #","onOutput":"a.two","after":"a.two""#, "two": ""], "nobody's \"onOutput\""),
            (["one": #","onOutput":{"webhook":"https://a/"}"#], "expected one of command"),
            (["one": #","onOutput":7"#], "an object with a \"command\""),
            (
                ["one": #","onOutput":{"command":["/bin/true"]}"#, "one.onOutput": ""],
                "no task named \"a.one.onOutput\" beside this command"
            ),
            (
                ["one": #","schedule":{"every":"1h","overlap":"both"}"#],
                "expected one of \"queue\", \"skip\", \"replace\", \"allow\""
            ),
        ])
    func `Refuses cycles and unknown names`(_ tasks: [String: String], _ words: String) {
        let result = read(tasks)
        #expect(
            result.diagnostics.contains { $0.severity == .error && "\($0)".contains(words) }, "\(result.diagnostics)")
    }
}
