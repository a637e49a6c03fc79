package import Linux

/// What happens to a system call.
package enum FilterVerdict: Hashable, Sendable {
    case allow
    /// It fails with this error; `.success` answers that it was done, which it is not.
    case refuse(Errno)
    /// The process is killed with SIGSYS.
    case kill
    /// It waits for the answer of the process that watches this one (seccomp_unotify(2)).
    case notify
}

/// A condition on one argument of a system call. The kernel truncates the arguments concerned to 32 bits, so only those
/// are compared.
package struct FilterTest: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        /// The argument is one of these, after `mask` was applied to it. At most 64 values.
        case isOneOf([UInt32], mask: UInt32)
        /// Any of these bits is set.
        case hasAny(UInt32)
        /// It is the worker's process id, which is known only after the fork.
        case isOwnProcess
    }

    /// 0…5
    package var argument: Int
    package var condition: Condition
}

/// What to do with one system call: a small tree over its arguments.
package indirect enum FilterDecision: Hashable, Sendable {
    case verdict(FilterVerdict)
    case when(FilterTest, then: FilterDecision, otherwise: FilterDecision)
}

extension FilterDecision {
    package static let allow = FilterDecision.verdict(.allow)
    package static let notify = FilterDecision.verdict(.notify)
    package static func refuse(_ code: Errno) -> FilterDecision { .verdict(.refuse(code)) }

    /// Decides by whether an argument is among `values`.
    package static func when(
        _ argument: Int, in values: [UInt32], mask: UInt32 = .max, then: FilterDecision = .allow,
        otherwise: FilterDecision
    ) -> FilterDecision {
        .when(
            FilterTest(argument: argument, condition: .isOneOf(values, mask: mask)), then: then, otherwise: otherwise)
    }

    /// Decides by whether an argument has any of `bits` set.
    package static func when(
        _ argument: Int, hasAny bits: UInt32, then: FilterDecision, otherwise: FilterDecision = .allow
    ) -> FilterDecision {
        .when(FilterTest(argument: argument, condition: .hasAny(bits)), then: then, otherwise: otherwise)
    }

    /// The same decision with other verdicts.
    func map(_ change: (FilterVerdict) -> FilterVerdict) -> FilterDecision {
        switch self {
        case .verdict(let verdict): .verdict(change(verdict))
        case .when(let test, let then, let otherwise):
            .when(test, then: then.map(change), otherwise: otherwise.map(change))
        }
    }
}
