/// What the text of a scalar is as a value of a type.
enum ScalarReading<Value> {
  case value(Value)
  /// It is none, such as a number with a fraction for an integer.
  case invalid
  /// It is a number that the type does not hold.
  case outOfRange
}
