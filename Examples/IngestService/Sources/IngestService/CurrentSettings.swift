import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The settings as they hold now: their tenants change without a restart.
final class CurrentSettings: Sendable {
  private let state: Mutex<Settings>

  init(_ settings: Settings) { state = Mutex(settings) }

  var settings: Settings { state.withLock { $0 } }

  /// Takes over the tenants.
  ///
  /// - Returns: Whether something else is different, too, which only a restart takes over.
  func replaceTenants(by new: Settings) -> Bool {
    state.withLock { settings in
      settings.tenants = new.tenants
      return settings != new
    }
  }
}

/// Reads the settings again on SIGHUP: tenants with their tokens, mappings and limits.
///
/// Requests that have begun continue as they were.
struct SettingsReload: Service {
  let current: CurrentSettings
  /// Reads the file and the environment, as at the start.
  let read: @Sendable () throws -> Settings
  let logger: Logger

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      reload()
    }
  }

  private func reload() {
    do {
      let needsRestart = current.replaceTenants(by: try read())
      logger.info("the tenants are read again")
      if needsRestart { logger.warning("other settings have changed, too: they need a restart") }
    } catch {
      for mistake in "\(error)".split(separator: "\n") {
        logger.error("the settings are not read again: \(mistake)")
      }
    }
  }
}
