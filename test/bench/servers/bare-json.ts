/** The yardstick of resolve: Bun.serve answering a constant JSON body, handed in. */
const body = Bun.argv[3] ?? "{}";

Bun.serve({
  port: Number(Bun.argv[2]),
  hostname: "127.0.0.1",
  development: false,
  fetch: () => new Response(body, { headers: { "content-type": "application/json" } }),
});
