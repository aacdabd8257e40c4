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
    /// The maximum number of tokens of an answer. A request without its own limit gets this maximum.
    public var maximumTokens: Int64
    /// The number of input bytes for which one token is reserved, in addition to the tokens of the answer.
    ///
    /// The value 1 is safe, because every token is at least one byte long. So a client cannot obtain free input by
    /// disconnecting before the answer reports its usage. 0 reserves nothing for input. Use 0 if the number at
    /// ``usage`` does not include input tokens.
    public var bytesPerToken = 1
    /// The request member that limits the tokens of an answer.
    public var tokensMember = "max_tokens"
    /// Request members to pass on, in addition to `messages`. The operator is responsible for their cost.
    public var members: [String] = []
    /// The tokens to reserve for each message part that is not text, by type, such as `image_url` or `input_audio`.
    /// Requests with parts of other types are rejected, because a model may read any number of tokens by reference.
    public var parts: [String: Int64] = [:]
    /// The JSON path of the usage in an answer. In a stream, the last event that has this path applies.
    public var usage = ["usage", "total_tokens"]
    /// The time limit of a whole answer, in seconds.
    public var seconds = 120
    /// The longest body of a request, in bytes.
    public static let maximumBody = 65_536

    /// Members that the service never passes on, because it sets them itself or, like `n`, they would multiply the
    /// usage.
    public static let ownMembers = ["model", "messages", "stream", "stream_options", "n"]
    /// Members that are never passed on. They multiply the answers, set a second limit, or make the model read or write
    /// content that neither the request's bytes nor its token limit covers.
    public static let unboundedMembers = [
        "best_of", "candidate_count", "num_return_sequences", "max_tokens", "max_completion_tokens",
        "max_output_tokens", "audio", "modalities", "prediction",
        "web_search_options", "tools", "functions", "file", "files", "attachments", "input", "prompt",
        "previous_response_id", "conversation", "background", "data_sources", "plugins", "models", "extra_body",
    ]

    /// Creates a model with the default options.
    public init(url: String, key: String, models: [String], maximumTokens: Int64) {
        self.url = url
        self.key = key
        self.models = models
        self.maximumTokens = maximumTokens
    }
}
