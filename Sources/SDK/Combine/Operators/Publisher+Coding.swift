import TaskHostFoundation

/// Makes values of an encoded form.
public protocol TopLevelDecoder {
    /// The encoded form.
    associatedtype Input
    /// The value of an encoded form.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Makes an encoded form of values.
public protocol TopLevelEncoder {
    /// The encoded form.
    associatedtype Output
    /// The encoded form of a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

extension JSONDecoder: TopLevelDecoder {}
extension PropertyListDecoder: TopLevelDecoder {}
extension JSONEncoder: TopLevelEncoder {}
extension PropertyListEncoder: TopLevelEncoder {}

extension Publisher {
    /// Decoded values; fails with what the decoder throws.
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> AnyPublisher<Item, any Error> where Output == Coder.Input {
        tryMap { try decoder.decode(type, from: $0) }
    }
}

extension Publisher where Output: Encodable {
    /// Encoded values; fails with what the encoder throws.
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> AnyPublisher<Coder.Output, any Error> {
        tryMap { try encoder.encode($0) }
    }
}
