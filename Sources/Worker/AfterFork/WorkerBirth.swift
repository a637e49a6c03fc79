import Confining
import CLinux
import Glibc
import Linux
import TaskModel
import Wire

/// From the fork to the worker's loop: placed in its cgroup, confined, then serving.
enum WorkerBirth {
    /// Descriptors of a fresh process, before it is confined.
    private static let freshWire: Int32 = 3
    private static let freshLog: Int32 = 4
    private static let freshErrors: Int32 = 5
    private static let freshPlan: Int32 = 6
    private static let freshLibrary: Int32 = 7
    private static let freshRuleset: Int32 = 8

    /// Continues in the forked child, and exits as a worker does.
    static func begin(
        _ prepared: PreparedConfinement, _ template: borrowing ConfinementTemplate, _ descriptors: LaunchDescriptors,
        frame: UnsafeRawBufferPointer, placesItself: Bool
    ) {
        do throws(ConfinementError) {
            try place(descriptors, placesItself: placesItself)
        } catch {
            refuse(descriptors.wire, LaunchRefusal(error))
        }
        if prepared.plan.exec {
            Confinement.tell(prepared.notes, on: descriptors.errors)
            // After the exec, root has given up the capability to open the folders of other users, including the application's. Its zygote
            // has loaded the runtime for libraries that need it.
            unsafe becomeFresh(
                descriptors, frame, ruleset: prepared.takeRuleset(), inSwift: SwiftRuntime.ofThisProcess != nil)
        }
        serve(
            prepared, template, wire: descriptors.wire, log: descriptors.log, errors: descriptors.errors,
            library: descriptors.library ?? -1, explainer: nil)
    }

    /// The same for a worker whose calls somebody is told of: in a child of the launcher, which has inherited no filter.
    ///
    /// - Parameter ruleset: -1: there is no Landlock.
    static func becomeExplained(_ plan: LaunchPlan, _ descriptors: LaunchDescriptors, ruleset: Int32) {
        var frame = frame(of: plan)
        if frame == nil {
            // The rules are made already: only the places that are named may then be less exact.
            var plan = plan
            plan.foreign = []
            frame = Self.frame(of: plan)
        }
        guard let frame else { _exit(WorkerExitStatus.protocolFault) }
        unsafe frame.withUnsafeBytes { (frame) -> Void in
            unsafe becomeFresh(descriptors, frame, ruleset: ruleset, inSwift: plan.explained == .swiftLibrary)
        }
    }

    /// nil: it is too long.
    private static func frame(of plan: LaunchPlan) -> [UInt8]? {
        var frame = FrameWriter(.launch)
        plan.write(to: &frame)
        return frame.finished()
    }

    /// Enters its control groups, as far as the fork did not.
    static func place(_ descriptors: LaunchDescriptors, placesItself: Bool) throws(ConfinementError) {
        // The kernel could not place it at birth: the folder's own cgroup.procs does.
        if placesItself, let folder = descriptors.cgroup {
            try unsafe Confinement.place([clinux_openat(folder, "cgroup.procs", O_WRONLY, 0)])
        }
        try Confinement.place(descriptors.placements)
    }

    /// Continues in a new process, whose plan is in a memory file; exits as a worker does.
    ///
    /// - Parameter inSwift: its library needs the Swift runtime, which may lie where the application's user cannot go.
    static func continueAfterExec(inSwift: Bool) {
        if inSwift { SwiftRuntime.preload() }
        let size = lseek(freshPlan, 0, SEEK_END)
        guard size > 0, size <= FrameHeader.maximumFrame else { _exit(WorkerExitStatus.protocolFault) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        guard unsafe pread(freshPlan, bytes.baseAddress, size, 0) == size else { _exit(WorkerExitStatus.protocolFault) }
        close(freshPlan)
        let plan: LaunchPlan
        do throws(WireError) {
            let frame = UnsafeRawBufferPointer(bytes)
            _ = try unsafe FrameHeader(reading: frame)
            var reader = unsafe FrameReader(body: frame)
            plan = try LaunchPlan(from: &reader)
        } catch {
            _exit(WorkerExitStatus.protocolFault)
        }
        let library = plan.sendsLibrary ? freshLibrary : -1
        do throws(ConfinementError) {
            try confineFresh(
                plan, library: library,
                plan.hasExplainer ? WorkerExplainer.start(plan, wire: freshWire) : nil)
        } catch {
            refuse(freshWire, LaunchRefusal(error))
        }
    }

    private static func confineFresh(
        _ plan: LaunchPlan, library: Int32, _ explainer: WorkerExplainer?
    ) throws(ConfinementError) {
        let template = try ConfinementTemplate(coreSize: explainer == nil ? 0 : ConfinementLimits.noPipedCore)
        let ruleset = template.landlockABI > 0 ? freshRuleset : -1
        let prepared = try PreparedConfinement(plan, library: library, template: template, ruleset: ruleset)
        serve(
            prepared, template, wire: freshWire, log: freshLog, errors: freshErrors, library: library,
            explainer: explainer)
    }

    private static func serve(
        _ prepared: PreparedConfinement, _ template: borrowing ConfinementTemplate, wire: Int32, log: Int32,
        errors: Int32, library: Int32, explainer: WorkerExplainer?
    ) {
        do throws(ConfinementError) {
            let report = try Confinement.apply(
                prepared, template: template, wire: wire, log: log, errors: errors, library: library,
                explainer: explainer)
            let library = library >= 0 ? WorkerProcess.libraryDescriptor : -1
            WorkerProcess.serve(prepared.plan, report: report) {
                // It is not made ahead, and what it looks at would count as the application's.
                prepared.plan.hasExplainer ? nil : prepared.filesNow(library: library, template: template)
            }
        } catch {
            // The position of the wire depends on the step that failed: after the descriptors were arranged it is in
            // its place.
            let arranged = error.step.isAfterDescriptors
            refuse(arranged ? WorkerProcess.wireDescriptor : wire, LaunchRefusal(error))
        }
    }

    /// Executes the worker's program anew, with its own address layout. Never returns.
    ///
    /// - Parameters:
    ///   - ruleset: passed on; -1: it makes its own.
    ///   - inSwift: its library needs the Swift runtime.
    private static func becomeFresh(
        _ descriptors: LaunchDescriptors, _ frame: UnsafeRawBufferPointer, ruleset: Int32, inSwift: Bool
    ) -> Never {
        let plan = unsafe clinux_memfd("plan")
        let written = unsafe plan >= 0 ? write(plan, frame.baseAddress, frame.count) : -1
        guard written == frame.count else {
            let code = plan < 0 ? -plan : written < 0 ? errno : ENOSPC
            refuse(descriptors.wire, LaunchRefusal(code: code, sentence: "no memory file for the launch plan"))
        }
        // Above every target first, so that no copy overwrites a later source.
        let sources = [
            descriptors.wire, descriptors.log, descriptors.errors, plan, descriptors.library ?? -1,
            ruleset,
        ].map {
            $0 >= 0 ? clinux_dup_above($0, 64) : -1
        }
        let targets = [freshWire, freshLog, freshErrors, freshPlan, freshLibrary, freshRuleset]
        for (source, target) in zip(sources, targets) {
            if source >= 0 { dup2(source, target) } else { close(target) }
        }
        clinux_close_range(UInt32(freshRuleset) + 1)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        let arguments = unsafe [strdup("taskhost-worker"), strdup("worker"), inSwift ? strdup("swift") : nil, nil]
        unsafe execve("/proc/self/exe", arguments, environ)
        let code = errno
        refuse(freshWire, LaunchRefusal(code: code, sentence: "exec of the worker: \(Errno(code))"))
    }

    static func refuse(_ wire: Int32, _ refusal: LaunchRefusal) -> Never {
        WireChannel(descriptor: wire).send(refusal, as: .refused)
        _exit(WorkerExitStatus.refused)
    }
}
