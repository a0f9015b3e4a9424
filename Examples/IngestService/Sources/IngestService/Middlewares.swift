import Hummingbird
import Logging

/// Makes a problem of every error, and a line of the log of every refusal: no answer is empty, and no fault of the service is silent.
struct ProblemMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as FeedAnswer {
      // The feed's own end is in the log.
      throw error
    } catch {
      let problem = Problem(error)
      var metadata: Logger.Metadata = [
        "status": "\(problem.status.code)", "method": "\(request.method)",
        "path": "\(request.uri.path)",
      ]
      if let cause = problem.cause { metadata["cause"] = "\(cause)" }
      context.log.logger.log(
        level: problem.cause == nil ? .info : .error, "refused: \(problem.detail)",
        metadata: metadata)
      throw problem
    }
  }
}

/// Answers with the errors that know their answer, and ends the connection of a request that is refused, because the rest of its body
/// may be endless.
///
/// A moment passes before, in which what comes is read and thrown away: a client that is still sending could not read the answer
/// otherwise.
struct AnswerMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    }
    let hasBody = request.method == .post || request.method == .patch
    if hasBody, response.status.kind != .successful {
      response.headers[.connection] = "close"
      let channel = context.channel
      channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
    return response
  }
}
