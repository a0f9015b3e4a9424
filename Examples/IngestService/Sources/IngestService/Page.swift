import HTTPTypes
import Hummingbird

/// The page at `/`: four files that are part of the program.
///
/// Nothing may be loaded from elsewhere, no script may stand in the page, and no text may become markup: what a feed says stays text.
enum Page {
  static var html: Response { response(PackageResources.index_html, "text/html; charset=utf-8") }
  static var css: Response { response(PackageResources.page_css, "text/css; charset=utf-8") }
  static var script: Response {
    response(PackageResources.page_js, "text/javascript; charset=utf-8")
  }
  static var feedsScript: Response {
    response(PackageResources.feeds_js, "text/javascript; charset=utf-8")
  }

  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    """

  private static func response(_ bytes: [UInt8], _ type: String) -> Response {
    let headers: HTTPFields = [
      .contentType: type, .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff",
      .cacheControl: "no-cache",
    ]
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
