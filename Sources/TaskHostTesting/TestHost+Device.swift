internal import Engine
internal import TaskModel
public import UIKit

extension TestHost {
    /// Sets conditions of the device. At first it is on mains, online and idle. Requests that waited for them may start, and
    /// runs whose requests require what is lost expire; those that a test has started do not. An `NWPathMonitor` of the application
    /// hears of the network.
    public func set(_ conditions: DeviceCondition...) async {
        core.change { model in
            let network = model.conditions.network
            for condition in conditions { condition.apply(to: &model.conditions) }
            if model.conditions.network != network { model.effects.append(.tellNetwork) }
            model.scheduler.setConditions(model.conditions, at: model.now)
            model.settle()
        }
        await settle()
    }

    // MARK: The user

    /// The application's state.
    public var applicationState: UIApplication.State {
        switch core.change({ $0.engine.state(of: $0.application) }) {
        case .active: .active
        case .inactive: .inactive
        case .background, .suspended, .notRunning: .background
        }
    }

    /// The user opens the application: it is launched unless it runs, and comes to the foreground.
    public func enterForeground() async {
        core.change { model in
            model.scheduler.open(application: model.application, at: model.now)
            model.hear(.foreground(application: model.application, true))
        }
        await settle()
    }

    /// The user sends the application to the background: its background time begins.
    public func enterBackground() async {
        core.change { $0.hear(.foreground(application: $0.application, false)) }
        await settle()
    }

    /// The user quits the application: its process ends, and no request starts until it is opened.
    public func quit() async {
        core.change { model in
            // The next process hears of it, and this one of nothing more.
            model.transfers.processEnded()
            model.cancelTransfers()
            model.scheduler.quit(application: model.application, at: model.now)
            model.hear(.terminateApplication(application: model.application, .userCancelled))
        }
        await settle()
    }

    /// The user allows or denies the application background refresh.
    public func setBackgroundRefresh(_ isAllowed: Bool) async {
        core.change { model in
            model.scheduler.setRefreshDenied(
                !isAllowed, application: model.application, at: model.now)
            model.settle()
        }
        await settle()
    }

    // MARK: Faults

    /// Lets a fault happen to the application.
    public func simulate(_ fault: TestFault) async {
        core.change { model in
            switch fault {
            case .crash: model.lose(WorkerExit(signal: 11, status: 0, outOfMemory: false))
            case .kill: model.lose(WorkerExit(signal: 9, status: 0, outOfMemory: false))
            case .slowLaunch:
                model.lose(WorkerExit(signal: 0, status: 0, outOfMemory: false))
                model.launchesSlowly = true
            case .diskFull: model.hear(.diskRefused(application: model.application))
            case .memoryPressure:
                model.conditions.memoryPressure = .yes
                model.scheduler.setConditions(model.conditions, at: model.now)
                model.hear(.memoryPressure(true))
            case .outOfMemory: if let process = model.process { model.hear(.outOfMemory(process)) }
            }
        }
        await settle()
    }
}

extension HostModel {
    func lose(_ exit: WorkerExit) {
        if let process { self.exit(process, exit) }
    }
}
