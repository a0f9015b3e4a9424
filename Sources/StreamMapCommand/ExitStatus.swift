import StreamMap

/// How the command ends; thrown to end it.
enum ExitStatus: Int32, Error {
  case success = 0
  case someRejected = 1
  case usage = 2
  case mapping = 3
  case malformedFeed = 4
  case limit = 5
  case io = 6
  case rejected = 7
  case unseenPath = 8
  case interrupted = 130

  /// The status of a run that an error of the feed ends.
  init(endedBy error: MappingError) {
    switch error.code.category {
    case .data: self = .rejected
    case .syntax: self = .malformedFeed
    case .limit: self = .limit
    case .io: self = .io
    case .definition: self = .mapping
    }
  }

  /// For the help.
  static let explanation = """
    Exit status: 0 all mapped; 1 finished, some records rejected; 2 usage, two files of the run \
    are one, or an index of another feed; 3 bad mapping file; 4 malformed or truncated feed; 5 a limit was hit (the message names its flag); \
    6 input or output failed; 7 ended at a rejected record (--errors fail, the default); \
    8 a records path never occurred; 130 interrupted (the output ends on a record boundary). \
    A closed pipe ends the command quietly with 0.
    """
}
