import Dispatch
import StreamMap

/// The mapping files of a folder, by name, read again when they change.
///
/// ```swift
/// let catalog = try MappingCatalog(folder: "mappings")
/// guard let mapper = catalog["acme/orders"] else { … }  // mappings/acme/orders.map.yaml
/// ```
///
/// A file's name is its path from the folder on, without its ending: `.map.yaml`, `.map.yml` or `.map.json`. Letters count as
/// they are written. Files whose names start with a full stop are left out. Parts that mapping files use, and the tables that
/// they look up, have other endings, or are in the catalog, too.
///
/// A file that has a mistake does not take part: the mapper that was made of it last stays, and ``mistakes`` says what is wrong.
/// So does one that cannot be read, or that has its name twice. A file that is removed goes.
///
/// Nothing outside the folder is read: neither by links nor by the paths in mapping files. A name is only looked up among those
/// of the files that were found, so any client may send it.
///
/// Any number of threads may share a catalog. To look something up takes a short lock and waits for no file.
public final class MappingCatalog: Sendable {
  /// A mapping file and what was made of it.
  struct Entry: Sendable {
    let file: MappingFile
    let mapper: Mapper<RawJSON>
  }

  /// The mappings of a folder at one moment; they do not change.
  ///
  /// ```swift
  /// let contents = catalog.contents
  /// let (orders, refunds) = (contents["acme/orders"], contents["acme/refunds"])  // of the same moment
  /// ```
  public struct Contents: Sendable {
    private let entries: [ExactText: Entry]
    /// What is wrong, ordered by file.
    public let mistakes: [MappingFile.Mistakes]

    init(entries: [ExactText: Entry], mistakes: [MappingFile.Mistakes]) {
      self.entries = entries
      self.mistakes = mistakes
    }

    /// The names of the mappings, in their order.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public var names: [String] { entries.keys.map(\.text).sorted() }

    /// The mapper of a name; nil if there is none.
    public subscript(name: String) -> Mapper<RawJSON>? { entries[ExactText(name)]?.mapper }

    /// The mapping file of a name, for what it says of errors and output; nil if there is none.
    public func file(_ name: String) -> MappingFile? { entries[ExactText(name)]?.file }
  }

  private let loader: Locked<CatalogLoader>
  private let current: Locked<Contents>
  /// Where files are read for those that must not wait.
  private let queue = DispatchQueue(label: "streammap.catalog")

  /// Reads all mapping files of a folder and of those inside it.
  ///
  /// Mistakes in files are no error here: see ``mistakes``.
  ///
  /// - Parameters:
  ///   - folder: The folder's path. Where it is a link, it is followed each time, so all mappings can be exchanged at once.
  ///   - arguments: Gives the texts of a mapping's arguments (`args`), by the mapping's name.
  /// - Throws: ``MappingFile/Mistakes`` if the folder cannot be read.
  public init(
    folder: String,
    arguments: @escaping @Sendable (_ name: String) -> [String: String] = { _ in [:] }
  ) throws(MappingFile.Mistakes) {
    var loader = CatalogLoader(folder, arguments)
    loader.look(waits: false)
    if let failure = loader.failure { throw failure }
    current = Locked(loader.contents)
    self.loader = Locked(loader)
  }

  /// The mappings that there are now.
  public var contents: Contents { current.withLock { $0 } }

  /// The mapper of a name; nil if there is none.
  public subscript(name: String) -> Mapper<RawJSON>? { contents[name] }

  /// What is wrong with files of the folder now, ordered by file; empty if nothing is.
  public var mistakes: [MappingFile.Mistakes] { contents.mistakes }

  /// Reads what has changed, and exchanges the mappings as a whole.
  ///
  /// It waits for the files: call it where that does no harm, such as at a signal or in a test. A server calls
  /// ``watch(every:isolation:onChange:)``.
  ///
  /// - Returns: Whether anything is other than before.
  @discardableResult
  public func refresh() -> Bool { look(waits: false) }

  /// Reads what has changed, time and again, until the task is cancelled.
  ///
  /// ```swift
  /// await catalog.watch(every: .seconds(2)) { contents in
  ///   for file in contents.mistakes { logger.warning("\(file)") }
  /// }
  /// ```
  ///
  /// A change is taken once two looks have seen the same, so a file that is being written is left alone unless its writer pauses
  /// for longer than the interval. To write to another name and rename the file is better still. Files are read on a thread of
  /// its own.
  ///
  /// - Parameters:
  ///   - interval: The time between two looks. A look asks the file system once for each file.
  ///   - actor: The actor of the caller.
  ///   - onChange: Called after each exchange, with the mappings that there are then.
  public func watch(
    every interval: Duration, isolation actor: isolated (any Actor)? = #isolation,
    onChange: (Contents) async -> Void = { _ in }
  ) async {
    while !Task.isCancelled {
      let hasChanged = await withCheckedContinuation { done in
        queue.async { done.resume(returning: self.look(waits: true)) }
      }
      if hasChanged { await onChange(contents) }
      do { try await Task.sleep(for: interval) } catch { return }
    }
  }

  private func look(waits: Bool) -> Bool {
    loader.withLock { loader in
      guard loader.look(waits: waits) else { return false }
      let contents = loader.contents
      current.withLock { $0 = contents }
      return true
    }
  }
}
