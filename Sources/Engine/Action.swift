/// What has to be done, and when: the host does what is urgent at once, then commits the writes, then carries out the effects; each
/// in the order of the decisions.
package enum Action: Sendable, BitwiseCopyable, Equatable {
    case write(Write)
    case urgent(Urgent)
    case effect(Effect)
}
