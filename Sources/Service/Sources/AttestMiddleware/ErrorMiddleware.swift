public import Hummingbird
import HTTPTypes
import NIOCore
import NIOHTTP1
public import PureAttestServer

/// An error that knows its answer to a client.
public protocol Answerable: Error {
    /// The answer.
    func answer(_ policy: AnswerPolicy) -> HTTPAnswer
}

extension AttestServerError: Answerable {}

/// Turns every error into the one form of answer, `{"error": word}`; the reasons go to the relying party's observer. To be the outermost of the middleware that
/// throws: nothing of a request, and nothing that a framework says about it, is sent back.
public struct ErrorMiddleware<Context: AttestRequestContext>: RouterMiddleware {
    private let policy: AnswerPolicy

    /// - Parameter policy: how much clients learn, as the relying party has it.
    public init(_ policy: AnswerPolicy) { self.policy = policy }

    /// Answers errors, and keeps answers out of caches, as they hold tokens (RFC 6750 §5.3).
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
            // A body that is not framed as its header says (RFC 9112 §7.1).
            return Self.response(RequestFault.malformedRequest.status, RequestFault.malformedRequest.word)
        case is NIOTooManyBytesError:
            return Self.response(RequestFault.tooLarge.status, RequestFault.tooLarge.word)
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            let fault = RequestFault.of(status: error.status.code)
            return Self.response(fault.status, fault.word)
        default:
            // Its type alone: its text may hold what was sent.
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
        // RFC 9110 §15.5.2: a 401 names a scheme.
        if status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

extension RequestFault {
    /// Hummingbird's own refusals, by their status.
    fileprivate static func of(status: Int) -> RequestFault {
        for fault in [notFound, tooLarge, timeout, unsupportedMediaType] where fault.status == status { return fault }
        return malformedRequest
    }
}
