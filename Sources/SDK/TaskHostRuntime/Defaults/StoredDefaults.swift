import Foundation

/// UserDefaults whose domain is the SDK's. It adds no stored property: the standard object, which Foundation makes, becomes one.
class StoredDefaults: UserDefaults {
    var domain: DefaultsDomain { DefaultsDomains.main }

    /// Makes the object that `UserDefaults.standard` returns, in every module, one of this class.
    static func takeOverStandard() {
        ObjectClass.set(StoredDefaults.self, of: UserDefaults.standard)
    }

    // MARK: Reading

    override func object(forKey key: String) -> Any? {
        if let argument = volatileDomain(forName: UserDefaults.argumentDomain)[key] { return argument }
        if let value = domain[key] { return value }
        for other in DefaultsDomains.suites + [DefaultsDomains.global] {
            if let value = other[key] { return value }
        }
        return DefaultsDomains.registered[key]
    }

    override func dictionaryRepresentation() -> [String: Any] {
        ([DefaultsDomains.global] + DefaultsDomains.suites.reversed() + [domain])
            .reduce(into: DefaultsDomains.registered) { $0.merge($1.all, uniquingKeysWith: { $1 }) }
    }

    override func persistentDomain(forName name: String) -> [String: Any]? { DefaultsDomains.domain(name).all }

    // MARK: Changing

    override func set(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        if let url = value as? URL { return set(url, forKey: key) }
        guard let stored = PropertyList.value(value) else { return Self.refuse(value, key) }
        domain.set(stored, for: key)
        announce()
    }

    /// A file's path; another URL is archived, as on iOS. Foundation on Linux keeps the path of each.
    override func set(_ url: URL?, forKey key: String) {
        guard let url, !url.isFileURL else { return super.set(url, forKey: key) }
        set(PropertyList.archive(of: url), forKey: key)
    }

    override func removeObject(forKey key: String) {
        domain.set(nil, for: key)
        announce()
    }

    override func setPersistentDomain(_ values: [String: Any], forName name: String) {
        guard let stored = PropertyList.dictionary(values) else { return Self.refuse(values, name) }
        let domain = DefaultsDomains.domain(name)
        for key in domain.all.keys where stored[key] == nil { domain.set(nil, for: key) }
        for (key, value) in stored { domain.set(value, for: key) }
        announce()
    }

    override func removePersistentDomain(forName name: String) { setPersistentDomain([:], forName: name) }

    override func register(defaults values: [String: Any]) {
        guard let stored = PropertyList.dictionary(values) else { return Self.refuse(values, "register(defaults:)") }
        DefaultsDomains.register(stored)
    }

    override func addSuite(named name: String) {
        let suite = DefaultsDomains.domain(name)
        DefaultsDomains.changeSuites { if !$0.contains(where: { $0 === suite }) { $0.append(suite) } }
    }

    override func removeSuite(named name: String) {
        let suite = DefaultsDomains.domain(name)
        DefaultsDomains.changeSuites { $0.removeAll { $0 === suite } }
    }

    override func synchronize() -> Bool { domain.synchronize() }

    private func announce() { NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self) }

    private static func refuse(_ value: Any, _ key: String) {
        Misuse.found(
            "Attempt to insert non-property list object \(value) for key \(key)",
            advice:
                "UserDefaults keep texts, numbers, dates, data, and arrays and dictionaries of them with texts as keys",
            exception: "NSInvalidArgumentException")
    }
}

/// UserDefaults of a suite.
final class SuiteDefaults: StoredDefaults {
    private let suite: DefaultsDomain
    override var domain: DefaultsDomain { suite }

    override init?(suiteName: String?) {
        suite = suiteName.map { DefaultsDomains.domain($0) } ?? DefaultsDomains.main
        super.init(suiteName: suiteName)
    }
}

/// UserDefaults of Foundation's own domains, outside of a worker.
private final class FoundationDefaults: UserDefaults {}

extension UserDefaults {
    /// What `UserDefaults(suiteName:)` calls: in place of Foundation's function of this name, for all modules of the plugin.
    @_silgen_name("$s10Foundation12UserDefaultsC9suiteNameACSgSSSg_tcfC")
    static func taskhostMake(suiteName: consuming String?) -> UserDefaults? {
        DefaultsDomains.isInstalled ? SuiteDefaults(suiteName: suiteName) : FoundationDefaults(suiteName: suiteName)
    }

    /// What `UserDefaults()` calls, likewise.
    @_silgen_name("$s10Foundation12UserDefaultsCACycfC")
    static func taskhostMake() -> UserDefaults {
        guard let defaults = taskhostMake(suiteName: nil) else { preconditionFailure("the application has a domain") }
        return defaults
    }
}
