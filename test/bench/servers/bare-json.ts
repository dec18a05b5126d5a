/** The baseline for resolve: Bun.serve with a constant JSON body, given as an argument. */
const body = Bun.argv[3] ?? "{}";

Bun.serve({
  port: Number(Bun.argv[2]),
  hostname: "127.0.0.1",
  development: false,
  fetch: () => new Response(body, { headers: { "content-type": "application/json" } }),
});
