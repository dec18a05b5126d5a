/** The baseline: Bun.serve with a constant 302. */
Bun.serve({
  port: Number(Bun.argv[2]),
  hostname: "127.0.0.1",
  development: false,
  fetch: () => new Response(null, { status: 302, headers: { location: "https://example.com/landing" } }),
});
