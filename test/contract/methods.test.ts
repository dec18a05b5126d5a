/** Responses to methods that a path does not support, and to OPTIONS. */
import { describe, expect, test } from "bun:test";
import { describeApp } from "@test/support/document/described";

const { app, routes } = await describeApp();
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const NAME = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  app.handle(new Request(`http://localhost${path}`, { method, headers }));

/** True if the path matches the route. With a name in place of each parameter, a path can match several routes. */
const segmentsFit = (route: string, path: string) => {
  const [own, other] = [route.split("/"), path.split("/")];
  return own.length === other.length && own.every((one, index) => one.startsWith(":") || one === other[index]);
};

const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+/g, NAME)))];

describe.each(paths)("%s", (path) => {
  const taken = new Set(routes.filter((route) => segmentsFit(route.path, path)).map(({ method }) => method));
  const allow = [...taken, ...(taken.has("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted();

  test("answers 405 to unsupported methods, and lists the supported ones", async () => {
    for (const method of METHODS.filter((one) => !allow.includes(one))) {
      const response = await ask(method, path);
      expect({ method, status: response.status, allow: response.headers.get("allow") }).toEqual({
        method,
        status: 405,
        allow: allow.join(", "),
      });
      const text = await response.text();
      if (method !== "HEAD") expect(Object.keys(JSON.parse(text))).toEqual(["error"]);
    }
  });

  test("answers OPTIONS with the supported methods", async () => {
    const response = await ask("OPTIONS", path);
    expect({ status: response.status, allow: response.headers.get("allow") }).toEqual({
      status: 204,
      allow: allow.join(", "),
    });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

test.each(["/api", "/api/v1", "/api/v2/links", "/api/v1/organizations/a/b", "/docs/nothing/here/at/all", "/health/x"])(
  "%s is 404 with every method",
  async (path) => {
    for (const method of METHODS) expect((await ask(method, path)).status).toBe(404);
  },
);

test("a preflight gets a response of its own, which allows every method of any route", async () => {
  const preflight = { origin: "https://links.acme.dev", "access-control-request-method": "PATCH" };
  const response = await ask("OPTIONS", `/api/v1/organizations/${NAME}`, preflight);
  expect(response.status).toBe(204);
  const allowed = response.headers.get("access-control-allow-methods")?.split(", ");
  expect([...new Set(routes.map(({ method }) => method))].filter((method) => !allowed?.includes(method))).toEqual([]);
});
