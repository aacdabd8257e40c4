public import Hummingbird
import HTTPTypes
import NIOCore
import NIOHTTP1
public import PureAttestServer

/// An error that provides the answer for the client.
public protocol Answerable: Error {
    /// Returns the answer that the policy permits.
    func answer(_ policy: AnswerPolicy) -> HTTPAnswer
}

extension AttestServerError: Answerable {}

/// Answers every error with a body of the form `{"error": word}`. Only the relying party's observer gets the reasons.
///
/// Add this middleware before all middleware that can throw. Its answers contain no text from the request or from the
/// framework.
public struct ErrorMiddleware<Context: AttestRequestContext>: RouterMiddleware {
    private let policy: AnswerPolicy

    /// - Parameter policy: the relying party's policy, which limits what clients learn.
    public init(_ policy: AnswerPolicy) { self.policy = policy }

    /// Answers errors. Forbids caching of all answers, because an answer may contain a token (RFC 6750 §5.3).
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do { response = try await next(request, context) } catch {
            response = answer(to: error, context)
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func answer(to error: any Error, _ context: Context) -> Response {
        switch error {
        case let error as any Answerable:
            let answer = error.answer(policy)
            return Self.response(
                answer.status, answer.code.rawValue, retryAfter: answer.retryAfter, balance: answer.balance)
        case let fault as RequestFault:
            if let member = fault.member {
                context.logger.info("Malformed request", metadata: ["member": "\(member)"])
            }
            return Self.response(fault.status, fault.word)
        case is HTTPParserError:
            // The body's framing contradicts its header (RFC 9112 §7.1).
            return Self.response(RequestFault.malformedRequest.status, RequestFault.malformedRequest.word)
        case is NIOTooManyBytesError:
            return Self.response(RequestFault.tooLarge.status, RequestFault.tooLarge.word)
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            let fault = RequestFault.of(status: error.status.code)
            return Self.response(fault.status, fault.word)
        default:
            // The error's text may contain parts of the request.
            context.logger.error("Unforeseen error", metadata: ["type": "\(type(of: error))"])
            return Self.response(RequestFault.internalError.status, RequestFault.internalError.word)
        }
    }

    static func response(
        _ status: Int, _ word: String, retryAfter: Int64? = nil, balance: BudgetBalance? = nil
    ) -> Response {
        let left = balance.map {
            #","requestsLeft":\#($0.remaining.requests),"unitsLeft":\#($0.remaining.units),"resetsAt":\#($0.resetsAt.secondsSince1970)"#
        }
        var response = Response(
            status: HTTPResponse.Status(code: status), headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"error":"\#(word)"\#(left ?? "")}"#)))
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        // RFC 9110 §15.5.2: a 401 answer must name an authentication scheme.
        if status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

extension RequestFault {
    fileprivate static func of(status: Int) -> RequestFault {
        for fault in [notFound, tooLarge, timeout, unsupportedMediaType] where fault.status == status { return fault }
        return malformedRequest
    }
}
