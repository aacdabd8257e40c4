/// A language model behind the service, with the interface of OpenAI's chat completions.
public struct Generation: Sendable {
    /// The address: https, or http on this machine.
    public var url: String
    /// The service's own key. Clients can neither see nor replace it.
    public var key: String
    /// The header with the key. `Authorization` has `Bearer` before it.
    public var keyHeader = "Authorization"
    /// The models that a request may name; the first is the default.
    public var models: [String]
    /// The maximum tokens of an answer, and the default of a request.
    public var maximumTokens: Int64
    /// Bytes of the model's input that are reserved as one token, beside the answer's tokens.
    ///
    /// 1 is safe, because every token has at least one byte. So a client cannot obtain free input by disconnecting
    /// before the answer reports its usage. 0 reserves nothing for input; use it if ``usage`` does not count input.
    public var bytesPerToken = 1
    /// The request member that limits the tokens of an answer.
    public var tokensMember = "max_tokens"
    /// Further request members to pass on, beside `messages`. The operator is responsible for their cost.
    public var members: [String] = []
    /// The tokens that a message part costs, by type other than `text`: `image_url`, `input_audio`. Requests with parts
    /// of other types are rejected, because a model may read any number of tokens by reference.
    public var parts: [String: Int64] = [:]
    /// The path of the usage in an answer, or in its last event that has one.
    public var usage = ["usage", "total_tokens"]
    /// The time limit of a whole answer, in seconds.
    public var seconds = 120
    /// The longest body of a request, in bytes.
    public static let maximumBody = 65_536

    /// Members that the service writes itself instead of passing them on: `n` would multiply the usage.
    public static let ownMembers = ["model", "messages", "stream", "stream_options", "n"]
    /// Members that are never passed on. They multiply an answer, limit it a second time, or make the model read or
    /// write content that neither the request's bytes nor its token limit covers.
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
