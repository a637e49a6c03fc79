internal import TaskHostRuntime

/// How values of a type are in the defaults.
struct DefaultsForm<Value> {
    let read: (UserDefaults, String) -> Value?
    let write: (UserDefaults, String, Value) -> Void
}

extension DefaultsForm {
    /// What `object(forKey:)` gives.
    static var object: DefaultsForm<Value> {
        DefaultsForm(read: { $0.object(forKey: $1) as? Value }, write: { $0.set($2, forKey: $1) })
    }
    /// A number, of whatever kind the stored one is.
    private static func number(_ value: @escaping (NSNumber) -> Value?) -> DefaultsForm<Value> {
        DefaultsForm(
            read: { ($0.object(forKey: $1) as? NSNumber).flatMap(value) }, write: { $0.set($2, forKey: $1) })
    }
    /// A truth value.
    static var bool: DefaultsForm<Bool> { DefaultsForm<Bool>.number { $0.boolValue } }
    /// A number without fractions.
    static var int: DefaultsForm<Int> {
        DefaultsForm<Int>.number { $0.doubleValue == Double($0.intValue) ? $0.intValue : nil }
    }
    /// A number.
    static var double: DefaultsForm<Double> { DefaultsForm<Double>.number { $0.doubleValue } }
    /// A URL. Foundation on Linux stores the path alone, which is enough for files; others are archived, as on iOS.
    static var url: DefaultsForm<URL> {
        DefaultsForm<URL>(
            read: { $0.url(forKey: $1) },
            write: { store, key, url in
                guard !url.isFileURL else { return store.set(url, forKey: key) }
                store.set(PropertyList.archive(of: url), forKey: key)
            })
    }
    /// A value as its raw value.
    static func raw<Raw>(_ form: DefaultsForm<Raw>) -> DefaultsForm<Value> where Value: RawRepresentable<Raw> {
        DefaultsForm(
            read: { form.read($0, $1).flatMap { Value(rawValue: $0) } }, write: { form.write($0, $1, $2.rawValue) })
    }
    /// A value that may be nil, which is that there is none.
    var optional: DefaultsForm<Value?> {
        DefaultsForm<Value?>(
            read: { .some(read($0, $1)) },
            write: { if let new = $2 { write($0, $1, new) } else { $0.removeObject(forKey: $1) } })
    }
}

extension AppStorage {
    init(_ value: Value, _ key: String, _ store: UserDefaults?, _ form: DefaultsForm<Value>) {
        self.init(key, store, value, read: form.read, write: form.write)
    }

    /// Stores a truth value; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(wrappedValue, key, store, .bool)
    }

    /// Stores an integer; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(wrappedValue, key, store, .int)
    }

    /// Stores a number; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(wrappedValue, key, store, .double)
    }

    /// Stores a text; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(wrappedValue, key, store, .object)
    }

    /// Stores a URL; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == URL {
        self.init(wrappedValue, key, store, .url)
    }

    /// Stores data; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(wrappedValue, key, store, .object)
    }

    /// Stores a date; the standard defaults unless `store` is given.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Date {
        self.init(wrappedValue, key, store, .object)
    }

    /// Stores a value as its raw value.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value: RawRepresentable<Int> {
        self.init(wrappedValue, key, store, .raw(DefaultsForm<Int>.int))
    }

    /// Stores a value as its raw value.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value: RawRepresentable<String> {
        self.init(wrappedValue, key, store, .raw(DefaultsForm<String>.object))
    }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
    /// Stores a truth value, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
        self.init(nil, key, store, DefaultsForm<Bool>.bool.optional)
    }

    /// Stores an integer, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
        self.init(nil, key, store, DefaultsForm<Int>.int.optional)
    }

    /// Stores a number, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
        self.init(nil, key, store, DefaultsForm<Double>.double.optional)
    }

    /// Stores a text, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
        self.init(nil, key, store, DefaultsForm<String>.object.optional)
    }

    /// Stores a URL, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == URL? {
        self.init(nil, key, store, DefaultsForm<URL>.url.optional)
    }

    /// Stores data, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
        self.init(nil, key, store, DefaultsForm<Data>.object.optional)
    }

    /// Stores a date, or nothing: nil.
    public init(_ key: String, store: UserDefaults? = nil) where Value == Date? {
        self.init(nil, key, store, DefaultsForm<Date>.object.optional)
    }

    /// Stores a value as its raw value, or nothing: nil.
    public init<Stored: RawRepresentable<Int>>(_ key: String, store: UserDefaults? = nil) where Value == Stored? {
        self.init(nil, key, store, DefaultsForm<Stored>.raw(DefaultsForm<Int>.int).optional)
    }

    /// Stores a value as its raw value, or nothing: nil.
    public init<Stored: RawRepresentable<String>>(_ key: String, store: UserDefaults? = nil) where Value == Stored? {
        self.init(nil, key, store, DefaultsForm<Stored>.raw(DefaultsForm<String>.object).optional)
    }
}
