/// Thrown by conversions that know what they would have taken: it becomes the error's `expected`.
struct NoMatch: Error {
  let expected: String
}
