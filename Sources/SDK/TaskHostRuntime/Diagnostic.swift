import CTaskHost

/// Messages of the framework for the application's author: in the host's journal, or in the log of the run.
package enum Diagnostic {
    package static func write(_ sentence: String) {
        if let scheduling = unsafe ConnectedHost.current?.scheduling {
            unsafe scheduling.pointee.report(sentence)
        } else {
            RunLog.write(TASKHOST_LOG_WARNING, sentence)
        }
    }
}
