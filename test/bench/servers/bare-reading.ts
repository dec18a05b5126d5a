/** A baseline that reads what a redirect needs: three headers and the client's address. */
const seen = { length: 0 };

Bun.serve({
  port: Number(Bun.argv[2]),
  hostname: "127.0.0.1",
  development: false,
  fetch(request, server) {
    const { headers } = request;
    seen.length =
      (headers.get("user-agent") ?? "").length +
      (headers.get("accept-language") ?? "").length +
      (headers.get("referer") ?? "").length +
      (server.requestIP(request)?.address ?? "").length;
    return new Response(null, { status: 302, headers: { location: "https://example.com/landing" } });
  },
});
