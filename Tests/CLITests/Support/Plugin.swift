import Foundation

/// The library that these tests run, built once, and manifests for it.
enum Plugin {
    /// One handler for each thing that a test needs.
    private static let source = """
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>
        #include <taskhost.h>

        void succeed(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }
        void fail(taskhost_task_t *task) { (void)taskhost_complete(task, 0); }
        void crash(taskhost_task_t *task) { *(volatile int *)0 = 1; }
        void leave(taskhost_task_t *task) { _exit(0); }
        void forget(taskhost_task_t *task) { }
        void twice(taskhost_task_t *task) { (void)taskhost_complete(task, 1); (void)taskhost_complete(task, 1); }

        /* Ignores every warning. */
        void hang(taskhost_task_t *task) {
            (void)taskhost_should_stop(task);
            printf("hanging\\n");
            while (1) { pause(); }
        }

        /* Works until it is told to stop. */
        void wait(taskhost_task_t *task) {
            printf("waiting\\n");
            while (!taskhost_should_stop(task)) { usleep(2000); }
            (void)taskhost_complete(task, 1);
        }

        /* Tells a step that a terminal would obey, and works until it is told to stop. */
        void paint(taskhost_task_t *task) {
            (void)taskhost_progress(task, 1, 3, "step\\ttext \\033[31mred\\n2nd \\302\\2331m\\177end");
            while (!taskhost_should_stop(task)) { usleep(2000); }
            (void)taskhost_complete(task, 1);
        }

        void print(taskhost_task_t *task) {
            for (int i = 0; i < 100; i += 1) { printf("%.*s\\n", 99, "                                                  "
                "                                                                                                "); }
            (void)taskhost_complete(task, 1);
        }

        /* Succeeds when it may write two mebibytes into one file. */
        void write_much(taskhost_task_t *task) {
            char path[4096], block[4096] = {0};
            snprintf(path, sizeof path, "%s/much", task->state_directory.bytes);
            FILE *file = fopen(path, "w");
            int is_good = file != NULL;
            for (int i = 0; is_good && i < 512; i += 1) { is_good = fwrite(block, sizeof block, 1, file) == 1; }
            if (file != NULL) { is_good = fclose(file) == 0 && is_good; }
            (void)taskhost_complete(task, is_good);
        }
        """

    /// Its folder, which a manifest may name, and in which no other test writes.
    private static let built = Result { () throws -> URL in
        let folder = try Places.products.appending(path: "CLIPlugin")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let library = folder.appending(path: "libcli.so")
        try compile(source, to: library)
        return library
    }

    static var library: URL { get throws { try built.get() } }

    /// Builds a library from C text.
    static func compile(_ source: String, to library: URL, flags: [String] = []) throws {
        let folder = try Folder()
        let file = try folder.write("plugin.c", source)
        let include = Places.root.appending(path: "Sources/CTaskHost/include").path
        let compiler = try Tool.execute(
            "/usr/bin/env",
            ["cc", "-shared", "-fPIC", "-w", "-I", include, "-o", library.path, file.path] + flags)
        guard compiler.status == 0 else { throw Problem(compiler.errors) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: library.path)
    }

    /// A manifest of one task, which is called as its application.
    static func manifest(
        _ identifier: String = "com.example.cli", handler: String = "succeed", library: String? = nil,
        budget: String = #"{"wallClock": "20s", "grace": "2s"}"#, more: String = ""
    ) throws -> String {
        """
        {
          "identifier": "\(identifier)",
          "library": "\(try library ?? Plugin.library.path)",\(more)
          "tasks": {
            "\(identifier)": {
              "kind": "processing",
              "handler": "\(handler)",
              "budget": \(budget)
            }
          }
        }
        """
    }

    /// A folder with one manifest, `m/com.example.cli.json`.
    static func folder(
        handler: String = "succeed", budget: String = #"{"wallClock": "20s", "grace": "2s"}"#
    ) throws -> Folder {
        let folder = try Folder()
        try folder.write("m/com.example.cli.json", try manifest(handler: handler, budget: budget))
        return folder
    }
}

extension Folder {
    /// Runs the task of its manifest folder in its own state folder.
    func run(_ more: String...) throws -> Tool {
        try Tool.run(["run", "com.example.cli", "--manifests", file("m").path, "--state", file("state").path] + more)
    }

    /// Any verb on its state folder.
    func ask(_ arguments: String...) throws -> Tool { try ask(arguments) }

    /// The same.
    func ask(_ arguments: [String]) throws -> Tool { try Tool.run(arguments + ["--state", file("state").path]) }
}
