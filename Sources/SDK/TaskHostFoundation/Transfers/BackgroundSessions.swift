/// The background sessions of this process.
package enum BackgroundSessions {
    /// Its sessions are those of a process that is gone. Only for TaskHostTesting, whose processes share one.
    package static func forget() { BackgroundSession.forget() }
}
