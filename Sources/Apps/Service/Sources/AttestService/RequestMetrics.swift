import AttestMiddleware
import HTTPTypes
import Hummingbird
import Metrics

/// Measures the requests in flight, and the duration of each request by route, method and status.
///
/// Hummingbird's `MetricsMiddleware` counts thrown errors. This middleware reports errors only by the answer's status.
/// Clients cannot introduce new labels for routes or methods, so the number of series is bounded.
struct RequestMetrics: RouterMiddleware {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .options, .patch]

    func handle(
        _ request: Request, context: AttestContext, next: (Request, AttestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let inFlight = InFlight()
        let method = Self.methods.contains(request.method) ? request.method.rawValue : "_OTHER"
        var response = try await next(request, context)
        let (status, body) = (response.status.code, response.body)
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            defer {
                let dimensions = [
                    ("http_route", context.endpointPath ?? "none"), ("http_request_method", method),
                    ("http_response_status_code", String(status)),
                ]
                Timer(label: "http_server_request_duration_seconds", dimensions: dimensions)
                    .record(duration: ContinuousClock.now - start)
                withExtendedLifetime(inFlight) {}
            }
            try await body.write(writer)
        }
        return response
    }
}

/// The request counts as active until this object is deallocated, which also happens if the connection ends early.
private final class InFlight: Sendable {
    private static let meter = Meter(label: "http_server_active_requests")

    init() { Self.meter.increment() }
    deinit { Self.meter.decrement() }
}
