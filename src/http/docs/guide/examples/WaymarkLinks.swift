import UIKit

struct WaymarkLinks {
    let service: URL

    /// What a Universal Link stands for: `title`, `destinationUrl`, `deepLinkPayload`. Nil if there is no such link.
    func open(_ shortUrl: URL) async throws -> [String: Any]? {
        let segments = shortUrl.pathComponents.filter { $0 != "/" }
        guard let host = shortUrl.host, let slug = segments.last else { return nil }
        var components = URLComponents()
        components.path = "/api/v1/resolve"
        components.queryItems = [
            URLQueryItem(name: "domain", value: host),
            URLQueryItem(name: "slug", value: slug),
            URLQueryItem(name: "pathPrefix", value: segments.dropLast().joined(separator: "/")),
            URLQueryItem(name: "platform", value: "ios"),
            URLQueryItem(name: "query", value: URLComponents(url: shortUrl, resolvingAgainstBaseURL: false)?.percentEncodedQuery),
        ]
        // A server reads a plus sign as a space.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        guard let url = components.url(relativeTo: service) else { return nil }
        return try await answer(to: URLRequest(url: url))
    }

    /// What led to the install: `matched`, and then the link. Call it at the first start only, because iOS asks before an app
    /// may paste. If it throws, there was no response: call it again at the next start.
    func claimPasteboard() async throws -> [String: Any]? {
        guard UIPasteboard.general.hasStrings,
            let copied = UIPasteboard.general.string,
            let items = URLComponents(string: copied)?.queryItems,
            let token = items.first(where: { $0.name == "match_token" })?.value,
            let url = URL(string: "/api/v1/match", relativeTo: service)
        else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: ["matchToken": token])
        return try await answer(to: request)
    }

    private func answer(to request: URLRequest) async throws -> [String: Any]? {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode else { return nil }
        if status == 404 || status == 410 { return nil }
        guard (200..<300).contains(status) else { throw URLError(.badServerResponse) }
        return try JSONSerialization.jsonObject(with: data) as? [String: Any]
    }
}

private extension URLComponents {
    func url(relativeTo base: URL) -> URL? { string.flatMap { URL(string: $0, relativeTo: base) } }
}
