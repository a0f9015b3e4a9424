/// A compiled mapping, ready to decode and encode from any number of threads.
///
/// ```swift
/// struct Person { let name: String; let age: Int }
/// let mapper = try Mapper(person)
///
/// let record = mapper.decode(#"{"name":"Ann","age":31}"#)
/// try record.get().age  // 31
/// String(decoding: try mapper.encode(Person(name: "Bob", age: 29)), as: UTF8.self)  // {"name":"Bob","age":29}
/// ```
///
/// Compiling takes some microseconds per field: make one mapper and keep it.
public struct Mapper<Value>: Sendable {
  /// The compiled mapping; its description explains it.
  public let plan: Plan
  /// The limits on what a feed may demand.
  public let limits: Limits
  /// The parser that turns the bytes of records into events (default: ``RecordParser/auto``).
  ///
  /// Values, issues and errors are the same with every parser. A copy of a mapper has a parser of its own.
  ///
  /// ```swift
  /// var curious = try Mapper(person)
  /// curious.parser = .yajl
  /// ```
  public var parser = RecordParser.auto {
    // The decoders that are kept for later documents belong to another parser.
    didSet { idleDecoders = Pool() }
  }

  /// Whether the records of feeds report their key or their index in what is around them: ``Record/key``, ``Record/index``.
  ///
  /// ```swift
  /// var users = try Mapper(user)
  /// users.reportsKeys = true
  /// for record in try users.records(in: Feed(.file("users.json"), at: "$.users.*")) {
  ///   if let key = record.key, let user = record.value { byName[key] = user }
  /// }
  /// ```
  ///
  /// It costs some memory for each record, so it has to be asked for.
  public var reportsKeys = false

  /// How the records of a feed follow each other where nothing else says so: the format of the mapping file.
  public let format: FeedFormat
  /// Whether the mapping redacts something: then the text of a record must never be shown.
  public var hidesValues: Bool { ownSelection.hidesValues }

  private let updaters: Updaters<Value>?
  /// Makes records of feeds, which may have names.
  private let makeAssembly: @Sendable (Plan, _ feed: String?) -> RecordAssembly<Value>
  let context: RecordContext?
  /// Nil if the mapping cannot encode.
  private let encoders: RecordEncoders?
  /// The encoders, by their options.
  private let encoderVariants: EncoderVariants?
  /// For single documents.
  let wholeText: FeedSelection
  /// For feeds: the records are where the mapping file says.
  private let ownSelection: FeedSelection
  @usableFromInline var idleDecoders = Pool<MessageDecoder<Value>>()

  /// Compiles a mapping.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of one record.
  ///   - registry: What the mapping refers to by type or by name.
  ///   - limits: The limits on what a feed may demand.
  /// - Throws: ``DefinitionError`` with all mistakes of the mapping.
  public init(
    _ mapping: Mapping<Value>, registry: Registry = Registry(), limits: Limits = Limits()
  ) throws(DefinitionError) {
    let registrations = registry.registrations
    let plan = try PlanCompiler.compile(mapping.definition, registrations)
    self.plan = plan
    self.limits = limits
    encoders = RecordEncoders(plan.tables, limits)
    encoderVariants = EncoderVariants(mapping.definition, registrations, plan, limits)
    updaters = Updaters(mapping.definition, registrations)
    makeAssembly = { plan, _ in .values(plan) }
    context = nil
    format = .auto
    wholeText = try plan.tables.wholeText()
    ownSelection = wholeText
  }

  /// Compiles the mapping that a type declares.
  ///
  /// - Throws: ``DefinitionError`` with all mistakes of the mapping.
  public init(_ type: Value.Type = Value.self, limits: Limits = Limits()) throws(DefinitionError)
  where Value: Mappable {
    try self.init(.declared, limits: limits)
  }

  /// Compiles the mapping that a registry has for a type; without one, the mapping that the type declares.
  ///
  /// - Throws: ``DefinitionError`` with all mistakes of the mapping.
  public init(
    _ type: Value.Type = Value.self, registry: Registry, limits: Limits = Limits()
  ) throws(DefinitionError) {
    try self.init(.registered(type), registry: registry, limits: limits)
  }

  /// Makes a mapper that only decodes.
  init(
    _ plan: OutputPlan, format: FeedFormat,
    makeAssembly: @escaping @Sendable (Plan, String?) -> RecordAssembly<Value>
  ) throws(DefinitionError) {
    self.plan = plan.plan
    limits = plan.limits
    encoders = nil
    encoderVariants = nil
    updaters = nil
    self.makeAssembly = makeAssembly
    context = plan.context.map { RecordContext(plan: $0, omitsNulls: plan.omitsNulls) }
    self.format = format
    wholeText = try plan.plan.tables.wholeText()
    ownSelection = plan.selection
  }

  // MARK: One document

  /// Decodes one JSON document.
  ///
  /// For many small messages, see ``messageDecoder()``.
  ///
  /// - Parameter bytes: UTF-8, with or without a byte-order mark; read in place.
  /// - Returns: The value and its issues, or the error.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func decode(_ bytes: some FeedBuffer) -> Record<Value> {
    bytes.withBytes { decode(contiguous: $0) }
  }

  /// Decodes one JSON document in a string.
  ///
  /// The UTF-8 of the string is read in place, where the string has it: only a string that Objective-C made is copied.
  ///
  /// - Parameter text: One JSON document.
  /// - Returns: The value and its issues, or the error.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func decode(_ text: String) -> Record<Value> {
    var text = text
    return text.withUTF8 { decode(contiguous: $0) }
  }

  /// Decodes one JSON document in a span of bytes.
  ///
  /// - Parameter bytes: UTF-8, with or without a byte-order mark.
  /// - Returns: The value and its issues, or the error.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public func decode(_ bytes: Span<UInt8>) -> Record<Value> {
    bytes.withUnsafeBufferPointer { decode(contiguous: $0) }
  }

  @inlinable
  func decode(contiguous bytes: UnsafeBufferPointer<UInt8>) -> Record<Value> {
    // PERF: unmanaged, because counting its references takes as long as a field. This call alone owns it until it is given back.
    let decoder = takeDecoder()
    let outcome =
      decoder?._withUnsafeGuaranteedRef { $0.engine.take(document: bytes) } ?? .outOfMemory
    // PERF: the record is made in one place. Where it is made in two, the compiler copies the value.
    let record = ValueTaker.record(
      outcome, by: decoder?._withUnsafeGuaranteedRef { $0.taker })
    // What a large document needed is given back with the decoder.
    if bytes.count <= MessageDecoder<Value>.largestKept {
      decoder.map(idleDecoders.give)
    } else {
      decoder?.release()
    }
    return record
  }

  /// Encodes a value as JSON: UTF-8 without white space, the fields in the order of their declaration, without those that are nil.
  ///
  /// - Throws: ``MappingError``, with the path, if a part of the value has no JSON.
  /// - Complexity: O(*n*) in the number of bytes written.
  public func encode(_ value: Value) throws(MappingError) -> [UInt8] {
    try encode(value) { Array($0) }
  }

  /// Encodes a value as JSON, as ``encode(_:)-(Value)``, and appends it to bytes of any kind.
  ///
  /// ```swift
  /// var body = ContiguousArray<UInt8>()
  /// try mapper.encode(ann, into: &body)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bytes: What it is appended to; where the value cannot be encoded, nothing is.
  /// - Throws: ``MappingError``, with the path, if a part of the value has no JSON.
  /// - Complexity: O(*n*) in the number of bytes written.
  public func encode(
    _ value: Value, into bytes: inout some RangeReplaceableCollection<UInt8>
  ) throws(MappingError) {
    try encode(value) { bytes.append(contentsOf: $0) }
  }

  package func encode<Result>(
    _ value: Value, _ take: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(MappingError) -> Result {
    guard let encoders else {
      throw MappingError(.invalidDefinition, found: "a mapping to output records cannot encode")
    }
    return try withUnsafePointer(to: value) { value throws(MappingError) in
      try encoders.encode(UnsafeRawPointer(value), take)
    }
  }

  // MARK: Values without text

  /// Makes a value from events that do not come from text.
  func record(_ send: (EventSink) throws(MappingError) -> Void) -> Record<Value> {
    guard let decoder = takeDecoder() else { return Record(.outOfMemory) }
    defer { idleDecoders.give(decoder) }
    return decoder._withUnsafeGuaranteedRef { $0.taker.record($0.engine.take(send)) }
  }

  /// Sends the events of a value.
  func send(_ value: Value, to sink: EventSink, options: EncodingOptions = EncodingOptions())
    throws(MappingError)
  {
    let encoders = try encoders(options)
    try withUnsafePointer(to: value) { value throws(MappingError) in
      try encoders.send(UnsafeRawPointer(value), to: sink)
    }
  }

  /// The encoders for these options.
  func encoders(_ options: EncodingOptions) throws(MappingError) -> RecordEncoders {
    guard let encoders, let encoderVariants else {
      throw MappingError(.invalidDefinition, found: "a mapping to output records cannot encode")
    }
    if options.nils == .omitted, options.fields == .all, options.keys == .sources {
      return encoders
    }
    return try encoderVariants.encoders(options)
  }

  // MARK: First mistakes

  @available(
    *, unavailable,
    message:
      "a dictionary is not JSON text; decode(foundationObject:) of StreamMapFoundation takes it"
  )
  public func decode(_ object: [String: Any]) -> Record<Value> { decode("") }

  // MARK: Updates

  /// Changes a value in place: properties in the document are written, the others keep their values.
  ///
  /// ```swift
  /// try mapper.update(&settings, from: #"{"size":14}"#.utf8)
  /// ```
  ///
  /// Everything is checked before anything is written: if this throws, the value is unchanged. A property that is
  /// itself an object is replaced, unless its field says `mergingUpdates()`. A property whose source is the
  /// whole object (`$`) counts as present if the document has any part that its mapping looks for: a part of a joined
  /// value, the value at a path, or one of the fields.
  ///
  /// Rules on the finished value check the changed value, and ``Mapping/postProcessed(_:)`` receives it. If the
  /// function throws, everything is restored, except changes that it made itself to a class instance.
  ///
  /// - Parameters:
  ///   - value: A value whose mapping is made from fields with writable properties; a class instance stays the same
  ///     one.
  ///   - bytes: One JSON document.
  ///   - null: What `null` does.
  ///   - absent: What happens to a property that the document does not have.
  /// - Returns: The issues of the document, and those that functions on the changed value reported; at most
  ///   ``Limits/errorsPerRecord``.
  /// - Throws: ``MappingError``; if the mapping cannot update, with the code `invalidDefinition`.
  @discardableResult
  public func update(
    _ value: inout Value, from bytes: some FeedBuffer, onNull null: NullUpdate = .clear,
    absent: AbsentUpdate = .untouched
  ) throws(MappingError) -> [MappingError] {
    try bytes.withBytes { bytes throws(MappingError) in
      try update(&value, contiguous: bytes, UpdateRules(null: null, absent: absent))
    }
  }

  /// Changes a value in place, from a text: see ``update(_:from:onNull:absent:)-4yopx``.
  ///
  /// - Returns: The issues.
  /// - Throws: ``MappingError``.
  @discardableResult
  public func update(
    _ value: inout Value, from text: String, onNull null: NullUpdate = .clear,
    absent: AbsentUpdate = .untouched
  ) throws(MappingError) -> [MappingError] {
    try update(&value, from: text.utf8, onNull: null, absent: absent)
  }

  /// Changes a value in place, from a span of bytes: see ``update(_:from:onNull:absent:)-4yopx``.
  ///
  /// - Returns: The issues.
  /// - Throws: ``MappingError``.
  @discardableResult
  public func update(
    _ value: inout Value, from bytes: Span<UInt8>, onNull null: NullUpdate = .clear,
    absent: AbsentUpdate = .untouched
  ) throws(MappingError) -> [MappingError] {
    try bytes.withUnsafeBufferPointer { bytes throws(MappingError) in
      try update(&value, contiguous: bytes, UpdateRules(null: null, absent: absent))
    }
  }

  func update(
    _ value: inout Value, contiguous bytes: UnsafeBufferPointer<UInt8>, _ rules: UpdateRules,
    keepsInstance: Bool = false
  ) throws(MappingError) -> [MappingError] {
    guard let updaters else {
      throw MappingError(
        .invalidDefinition, found: "a mapping to output records cannot update a value")
    }
    return try updaters.update(
      &value, from: bytes, by: rules, limits: limits, parser: parser, keepsInstance: keepsInstance)
  }

  // MARK: Engines

  /// A decoder for a single document or value, which the caller owns; nil if no memory is left.
  @inlinable
  func takeDecoder() -> Unmanaged<MessageDecoder<Value>>? {
    idleDecoders.take() ?? (try? messageDecoder()).map { Unmanaged.passRetained($0) }
  }

  /// What makes a feed's records one at a time, and what takes their values.
  func makeEngine(
    _ request: FeedRequest
  ) throws(MappingError) -> (engine: FeedEngine, taker: ValueTaker<Value>) {
    let limits = request.options.limits ?? limits
    let assembly = assembly(named: request.name)
    let maker = assembly.maker(plan, limits)
    let engine = try FeedEngine(
      maker, selection: request.selection, format: request.format, limits: limits,
      demands: request.options.demands, resyncs: request.options.resynchronizes, parser: parser,
      context: context?.make(named: request.name, limits), from: request.position)
    return (engine, assembly.taker(of: maker))
  }

  /// The route of a feed whose records the caller's thread makes.
  func makeRoute(_ request: FeedRequest) throws(MappingError) -> Route<Value> {
    let (engine, taker) = try makeEngine(request)
    return .one(engine, taker)
  }

  func makeParallelEngine(
    _ request: FeedRequest, jobs: Int, pool: WorkerPool?
  ) throws(MappingError) -> ParallelEngine<Value> {
    let limits = request.options.limits ?? limits
    return try ParallelEngine(
      jobs: jobs, pool: pool, selection: request.selection, format: request.format, limits: limits,
      demands: request.options.demands, parser: parser,
      context: context?.make(named: request.name, limits), from: request.position,
      makeBatchWorker(request.selection, named: request.name, limits))
  }

  /// Makes a reader of batches, which are mapped while the next one is read.
  func makeBatchReader(
    _ selection: FeedSelection, format: FeedFormat, named name: String?, _ limits: Limits,
    _ demands: FeedDemands
  ) throws(MappingError) -> BatchReader {
    BatchReader(
      try FeedReader.make(
        selection, format: format, limits: limits, demands: demands, form: parser.form),
      demands: demands, context: context?.make(named: name, limits),
      positionEvery: RecordBatch.Bounds.text)
  }

  /// Makes a batch mapper for each worker.
  func makeBatchWorker(
    _ selection: FeedSelection, named name: String?, _ limits: Limits
  ) -> @Sendable () -> BatchWorker<Value> {
    { [self] in
      BatchWorker(
        plan: plan, selection: selection, limits: limits, parser: parser,
        context: context?.make(named: name, limits)
      ) { _ in assembly(named: name) }
    }
  }

  /// The maker of the records of a feed, which may have a name.
  private func assembly(named name: String?) -> RecordAssembly<Value> {
    var assembly = makeAssembly(plan, name)
    assembly.reportsKeys = reportsKeys
    return assembly
  }

  /// The places of the records, in the walker's tables.
  func selection(at paths: RecordPaths) throws(DefinitionError) -> FeedSelection {
    // The paths of a part are texts. Those that are the mapper's own may have patterns that only a mapping file can make.
    let own = ownSelection.paths.patterns
    if paths.texts.isEmpty || paths.texts.elementsEqual(own, by: { $0 == $1.description }) {
      return ownSelection
    }
    let patterns: [PathPattern]
    if let known = paths.patterns {
      patterns = known
    } else {
      patterns = try Self.patterns(paths.texts)
    }
    return try FeedSelection(
      plan.tables.selection, at: patterns, context: context?.plan.selections ?? [])
  }

  private static func patterns(_ texts: [String]) throws(DefinitionError) -> [PathPattern] {
    var patterns: [PathPattern] = []
    var mistakes: [DefinitionError.Mistake] = []
    for (number, path) in texts.enumerated() {
      do throws(PathSyntaxError) {
        patterns.append(try PathPattern(parsing: path))
      } catch {
        mistakes.append(
          DefinitionError.Mistake(path: [.recordPath(number + 1)], reason: "\(error)"))
      }
    }
    guard mistakes.isEmpty else { throw DefinitionError(mistakes: mistakes) }
    return patterns
  }
}
