internal import CApplication

/// In place of Foundation's functions of these names, for all modules of the plugin; those of Foundation's class `Progress` are
/// replaced too, by `progress.c`. Foundation on Linux announces no change, and a child tells its parent in a way that is closed
/// to others: so each progress announces its own changes to all above it.
extension Progress {
    private var address: UnsafeRawPointer { unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Replaces the functions of its class too, should that be another library's subclass, such as an operation queue's.
    func announcesChanges() {
        unsafe taskhost_sdk_announce_changes(unsafeBitCast(type(of: self) as AnyClass, to: UnsafeRawPointer.self))
    }

    // MARK: Unit counts

    private func taskhostSet(_ count: taskhost_count_t, _ value: Int64) {
        unsafe taskhost_sdk_set_count(address, count, value)
        ObservedProgresses.announce(self)
    }

    @_silgen_name("$s10Foundation8ProgressC18completedUnitCounts5Int64Vvs")
    func taskhostSetCompleted(_ value: Int64) { taskhostSet(TASKHOST_COUNT_COMPLETED, value) }

    @_silgen_name("$s10Foundation8ProgressC14totalUnitCounts5Int64Vvs")
    func taskhostSetTotal(_ value: Int64) { taskhostSet(TASKHOST_COUNT_TOTAL, value) }

    var taskhostCompleted: Int64 {
        get { completedUnitCount }
        @_silgen_name("$s10Foundation8ProgressC18completedUnitCounts5Int64VvM")
        _modify {
            var value = completedUnitCount
            defer { taskhostSetCompleted(value) }
            yield &value
        }
    }

    var taskhostTotal: Int64 {
        get { totalUnitCount }
        @_silgen_name("$s10Foundation8ProgressC14totalUnitCounts5Int64VvM")
        _modify {
            var value = totalUnitCount
            defer { taskhostSetTotal(value) }
            yield &value
        }
    }

    // MARK: Children

    /// Also for a child that is made while this is the current progress.
    @_silgen_name("$s10Foundation8ProgressC8addChild_20withPendingUnitCountyAC_s5Int64VtF")
    func taskhostAdd(_ child: Progress, units: Int64) {
        unsafe taskhost_sdk_add_child(address, child.address, units)
        ObservedProgresses.adopt(child, below: self)
    }

    /// Without a child in the meantime it completes units.
    @_silgen_name("$s10Foundation8ProgressC13resignCurrentyyF")
    func taskhostResign() {
        unsafe taskhost_sdk_resign(address)
        ObservedProgresses.announce(self)
    }

    // MARK: What else can be observed

    private func taskhostSet(_ flag: taskhost_flag_t, _ value: Bool) {
        unsafe taskhost_sdk_set_flag(address, flag, value)
        ObservedProgresses.announce(self)
    }

    /// `cancel()` calls it, the parent's too.
    @_silgen_name("$s10Foundation8ProgressC11isCancelledSbvs")
    func taskhostSetCancelled(_ value: Bool) { taskhostSet(TASKHOST_FLAG_CANCELLED, value) }

    /// `pause()` and `resume()` call it, the parent's too.
    @_silgen_name("$s10Foundation8ProgressC8isPausedSbvs")
    func taskhostSetPaused(_ value: Bool) { taskhostSet(TASKHOST_FLAG_PAUSED, value) }

    @_silgen_name("$s10Foundation8ProgressC13isCancellableSbvs")
    func taskhostSetCancellable(_ value: Bool) { taskhostSet(TASKHOST_FLAG_CANCELLABLE, value) }

    @_silgen_name("$s10Foundation8ProgressC10isPausableSbvs")
    func taskhostSetPausable(_ value: Bool) { taskhostSet(TASKHOST_FLAG_PAUSABLE, value) }

    @_silgen_name("$s10Foundation8ProgressC17setUserInfoObject_6forKeyyypSg_AA0bdeH0VtF")
    func taskhostSetInfo(_ value: Any?, _ key: ProgressUserInfoKey) {
        unsafe withUnsafePointer(to: value) { value in
            unsafe withUnsafePointer(to: key) { unsafe taskhost_sdk_set_info(address, value, $0) }
        }
        ObservedProgresses.announce(self)
    }
}
