/// How a plan finds its values in rows.
///
/// A *group* is a set of objects that are made of the same value, such as the alternatives of one field. They share a block of
/// cells: one for each place that one of them looks at. So the value is read once for all of them.
struct RowTables: Sendable {
  /// A value that paths of a group go through.
  struct Step: BitwiseCopyable {
    let cell: Int32
    /// How many cells after it are for what is inside; those for members come first.
    let inside: Int32
    /// How many of these are inside members.
    let insideMembers: Int32
    /// How many steps lead to it from the object.
    let depth: Int32

    var takesObjects: Bool { insideMembers > 0 }
    var takesArrays: Bool { insideMembers < inside }
  }

  struct Group: BitwiseCopyable {
    /// The node of the selection that opens it.
    let entry: Int32
    let cellCount: Int32
    /// A range of `steps`.
    let firstStep: Int32
    let stepCount: Int32
  }

  /// By field: its cell in its object's block; 0 if it takes the object as a whole.
  ///
  /// A field without a source has the last cell, in which there is never a value.
  let cells: FlatTable<Int32>
  let groups: FlatTable<Group>
  /// By object: its group.
  let groupOfObject: FlatTable<Int32>
  /// By dispatch: the group of its discriminator, and that one's cell; -1 for one by kind.
  let groupOfDispatch: FlatTable<Int32>
  let discriminators: FlatTable<Int32>
  /// Those of all groups; a step comes before those inside it.
  let steps: FlatTable<Step>
  /// By node: the node of the selection that opens an array or a dictionary.
  let entries: FlatTable<Int32>
  /// By node: the node of the selection that reads a value that it alone is made of; -1 if there is none.
  let readers: FlatTable<Int32>
  /// By field: whether it takes its object as a whole.
  let takesWhole: FlatTable<Bool>
  /// By object: the cells of the members that are kept, although something looks at them.
  let kept: [[Int32]]
}
