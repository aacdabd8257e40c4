/// A language model behind the service, with the interface of OpenAI's chat completions.
public struct Generation: Sendable {
    /// The address: https, or http on this machine.
    public var url: String
    /// The service's own key. Clients can neither see nor replace it.
    public var key: String
    /// The name of the header that carries the key. In `Authorization`, the service writes `Bearer` before the key.
    public var keyHeader = "Authorization"
    /// The models that a request may name; the first is the default.
    public var models: [String]
    /// The maximum number of tokens of an answer. This limit also applies to a request that sets no limit.
    public var maximumTokens: Int64
    /// The number of input bytes for which one token is reserved. The tokens of the answer are reserved in addition.
    ///
    /// The value 1 is safe, because every token is at least one byte long. Then a client cannot avoid the cost of input
    /// by disconnecting before the answer reports its usage. The value 0 reserves nothing for input. Use it if the
    /// model's reported usage does not include input tokens.
    public var bytesPerToken = 1
    /// The request member that limits the tokens of an answer.
    public var tokensMember = "max_tokens"
    /// Further request members that the service passes on unchecked. The operator is responsible for their cost.
    public var members: [String] = []
    /// The tokens to reserve for a message part other than text, keyed by the part's type, such as `image_url` or
    /// `input_audio`. The service rejects parts of all other types except text, because they may refer to content of
    /// any cost.
    public var parts: [String: Int64] = [:]
    /// The JSON path of the usage in an answer. In a stream, the service uses the last event that contains this path.
    public var usage = ["usage", "total_tokens"]
    /// The time limit of a whole answer, in seconds.
    public var seconds = 120
    /// The longest body of a request, in bytes.
    public static let maximumBody = 65_536

    /// Members that ``members`` must not list. The service checks or sets them itself, and drops `n`, which would
    /// multiply the usage.
    public static let ownMembers = ["model", "messages", "stream", "stream_options", "n"]
    /// Members that ``members`` must not list, because they multiply the answers, set a second limit, or add content.
    /// Neither the reserve for the request's bytes nor the token limit would cover such content.
    public static let unboundedMembers = [
        "best_of", "candidate_count", "num_return_sequences", "max_tokens", "max_completion_tokens",
        "max_output_tokens", "audio", "modalities", "prediction",
        "web_search_options", "tools", "functions", "file", "files", "attachments", "input", "prompt",
        "previous_response_id", "conversation", "background", "data_sources", "plugins", "models", "extra_body",
    ]

    /// All members that ``members`` must not list, and that the service ignores there.
    public var refusedMembers: [String] { Self.ownMembers + Self.unboundedMembers + [tokensMember] }

    /// Creates a configuration with the default options.
    public init(url: String, key: String, models: [String], maximumTokens: Int64) {
        self.url = url
        self.key = key
        self.models = models
        self.maximumTokens = maximumTokens
    }
}
