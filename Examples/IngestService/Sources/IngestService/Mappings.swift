import Foundation
import HTTPTypes
import Hummingbird
import StreamMapFiles

// The mappings that a tenant may use, to be looked at.

/// What `GET /mappings` answers.
struct MappingList: Encodable {
  let mappings: [String]
}

extension Uploads {
  /// `GET /mappings`: the names of the tenant's mappings.
  func mappings(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    try .json(
      MappingList(mappings: catalog.contents.names.filter(tenant.mayUse)),
      headers: [.cacheControl: "no-store"])
  }

  /// `GET /mappings/{mapping}`: the text of a mapping file, as it is now.
  func mapping(_ request: Request, _ context: ServiceContext, for tenant: Tenant) async throws
    -> Response
  {
    let name = try mappingName(context, for: tenant)
    // Only a name of the catalog leads to a file.
    guard let path = catalog.contents.file(name)?.files.first,
      let text = FileManager.default.contents(atPath: path)
    else { throw Problem(.notFound, "no mapping \(name.debugDescription)") }
    let type = path.hasSuffix(".json") ? "application/json" : "application/yaml"
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
  }

  /// The mapping that the rest of an address names, if the tenant may use it.
  func mappingName(_ context: ServiceContext, for tenant: Tenant) throws -> String {
    let path = context.parameters.getCatchAll().joined(separator: "/")
    guard let mapping = path.removingPercentEncoding else {
      throw Problem(.badRequest, "the mapping's name is not UTF-8, percent-encoded")
    }
    guard tenant.mayUse(mapping) else {
      throw Problem(.forbidden, "this token is not for the mapping \(mapping.debugDescription)")
    }
    return mapping
  }
}
