// What files of the command, of mapping files and of the C library import in place of Foundation: its smaller part, where there is one,
// and the system's C library. All of Foundation would bring ICU with it, which is several times as large as the rest of the command.

#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif

#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Android)
@_exported import Android
#elseif canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#endif
