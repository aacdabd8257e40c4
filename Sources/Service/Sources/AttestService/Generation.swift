/// A language model behind the service: where it is, and what of a request goes there. Its interface is that of OpenAI's chat completions,
/// which many others have too.
public struct Generation: Sendable {
    /// Where requests go: https, or http on this machine.
    public var url: String
    /// The service's own key. No client gets to see it, and nothing that a client sends takes its place.
    public var key: String
    /// The header that has the key; in `Authorization` after the word `Bearer`.
    public var keyHeader = "Authorization"
    /// The models that may be asked for; the first one unless a request names one.
    public var models: [String]
    /// The most tokens of an answer, and what one is given that does not say.
    public var maximumTokens: Int64
    /// How many bytes of what the model gets are reserved as one token that it reads, beside those of its answer: 1, as no token is
    /// shorter, so that nobody has prompts read for nothing by going before the answer says its use. 0: none are, for a ``usage`` that does
    /// not count what is read.
    public var bytesPerToken = 1
    /// The member that says how many tokens an answer may have.
    public var tokensMember = "max_tokens"
    /// Further members of a request that are passed on, beside `messages`. Whoever names one answers for its cost.
    public var members: [String] = []
    /// The tokens that a part of a message costs, by its type, where that is not `text`: `image_url`, `input_audio`. Requests with parts
    /// of other types are refused, as a model may read any number of tokens by reference.
    public var parts: [String: Int64] = [:]
    /// Where an answer, or the last event that has it, says what was used.
    public var usage = ["usage", "total_tokens"]
    /// What an answer may take, to its end, in seconds.
    public var seconds = 120
    /// The longest body of a request, in bytes.
    public static let maximumBody = 65_536

    /// Members that the service writes itself, so that none is passed on as it came: `n` would multiply what an answer may use.
    public static let ownMembers = ["model", "messages", "stream", "stream_options", "n"]
    /// Members that are never passed on. They multiply an answer, limit it a second time, or make the model read or write what neither
    /// the bytes of the request nor its number of tokens covers.
    public static let unboundedMembers = [
        "best_of", "candidate_count", "num_return_sequences", "max_tokens", "max_completion_tokens",
        "max_output_tokens", "audio", "modalities", "prediction",
        "web_search_options", "tools", "functions", "file", "files", "attachments", "input", "prompt",
        "previous_response_id", "conversation", "background", "data_sources", "plugins", "models", "extra_body",
    ]

    /// A model.
    public init(url: String, key: String, models: [String], maximumTokens: Int64) {
        self.url = url
        self.key = key
        self.models = models
        self.maximumTokens = maximumTokens
    }
}
