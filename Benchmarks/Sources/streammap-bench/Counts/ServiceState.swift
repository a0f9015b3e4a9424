import StreamMap

/// What is known of a service: each line of its log changes it.
final class ServiceState {
  var level = ""
  var user = 0
  var tags: [String] = []
  var request = Request()

  final class Request {
    var path = ""
    var status = 0
    var milliseconds = 0.0

    static var mapping: Mapping<Request> {
      Mapping.object(Request.self) { field in
        let path = field("path", \.path)
        let status = field("status", \.status)
        let milliseconds = field("ms", \.milliseconds)
        return field.make(creating: Request.init, path, status, milliseconds)
      }
    }
  }

  static var mapping: Mapping<ServiceState> {
    Mapping.object(ServiceState.self) { field in
      let level = field("level", \.level)
      let user = field("user_id", \.user)
      let tags = field("tags", \.tags)
      let request = field("http", \.request, Request.mapping).mergingUpdates()
      return field.make(creating: ServiceState.init, level, user, tags, request)
    }
  }
}
