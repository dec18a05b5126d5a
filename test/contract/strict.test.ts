/** How the document represents the schemas that routes declare, including kinds that no route uses yet. */
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import {
  flag,
  freeObject,
  instantInput,
  nullable,
  oneOf,
  optional,
  queryFlag,
  queryInteger,
  shape,
} from "@/contract/schema";
import { exampleOf } from "@/http/document/example";
import { buildDocument } from "@/http/document/openapi";
import { SchemaNames } from "@/http/document/strict-schema";
import type { Operation, Schema } from "@/http/document/types";

const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema));

describe("a schema becomes strict JSON Schema 2020-12", () => {
  test.each<[string, unknown, Schema]>([
    ["a sentence for its faults goes", flag("On"), { type: "boolean", description: "On" }],
    ["a union of constants is an enumeration", oneOf(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    [
      "a nullable enumeration is one, or null",
      nullable(oneOf(["a", "b"])),
      { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
    ],
    [
      "a nullable value has two types",
      nullable(Type.Integer({ minimum: 1 })),
      { type: ["integer", "null"], minimum: 1 },
    ],
    [
      "items that are checked one by one are those of the list",
      Type.Array(Type.Unknown(), { documentedItems: Type.Integer(), maxItems: 2 }),
      { type: "array", items: { type: "integer" }, maxItems: 2 },
    ],
    ["a free object takes any key", freeObject(), { type: "object", additionalProperties: true }],
    [
      "a record of one kind says which",
      Type.Record(Type.String(), Type.Integer()),
      { type: "object", additionalProperties: { type: "integer" } },
    ],
    ["a query number is a number", queryInteger("page", 1, 9), { type: "integer", minimum: 1, maximum: 9 }],
    ["a query flag is a flag", queryFlag("bots"), { type: "boolean" }],
    ["a number of Elysia's is a number", t.Numeric(), { type: "number" }],
    [
      "a union of shapes stays one",
      Type.Union([Type.String(), Type.Integer()]),
      { anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
  ])("%s", (_, schema, strict) => {
    expect(new SchemaNames().strict(plain(schema))).toEqual(strict);
  });

  test("an instant is documented by its format", () => {
    const strict = new SchemaNames().strict(plain(instantInput()));
    expect(strict).toMatchObject({ type: "string", format: "date-time" });
    expect(strict).not.toHaveProperty("pattern");
  });

  test("a named schema becomes a reference, also if nullable or nested", () => {
    const names = new SchemaNames();
    const inner = shape({ a: Type.String() }, { $id: "Inner" });
    const outer = shape({ one: inner, none: nullable(inner), many: Type.Array(inner) }, { $id: "Outer" });
    expect(names.strict(plain(outer))).toEqual({ $ref: "#/components/schemas/Outer" });
    const reference = { $ref: "#/components/schemas/Inner" };
    expect(names.components.Outer?.properties).toEqual({
      one: reference,
      none: { anyOf: [reference, { type: "null" }] },
      many: { type: "array", items: reference },
    });
  });

  test("a shape is described alike wherever it is used, since its name stands for one description", () => {
    const named = (description?: string) => shape({ a: Type.String() }, { $id: "Inner", description });
    const names = new SchemaNames();
    names.strictBody(plain(named()));
    names.strict(plain(shape({ one: named("Of one place") })));
    names.strictBody(plain(named()));
    for (const other of [named(), named("Of another place")])
      expect(() => names.strict(plain(shape({ other })))).toThrow("Two different descriptions of Inner");
  });

  test("two different schemas of one name are refused", () => {
    const names = new SchemaNames();
    names.strict({ $id: "Same", type: "string" });
    expect(() => names.strict({ $id: "Same", type: "integer" })).toThrow("Two different schemas have the name Same");
  });
});

test("the document is the same before and after its routes were served", async () => {
  const inner = shape({ name: Type.String({ examples: ["Ada"] }) }, { $id: "Inner" });
  const app = new Elysia()
    .get("/inner", () => ({ name: "Ada" }), { response: inner, detail: { operationId: "inner" } })
    .post("/outer", () => ({ inner: { name: "Ada" } }), {
      body: inner,
      response: shape({ inner }, { $id: "Outer" }),
      detail: { operationId: "outer" },
    });
  const before = await buildDocument(app, "https://links.acme.dev");
  await app.handle(new Request("http://localhost/inner"));
  await app.handle(new Request("http://localhost/outer", { method: "POST", body: "{}" }));
  expect(await buildDocument(app, "https://links.acme.dev")).toEqual(before);
});

describe("an example is made of", () => {
  const name = Type.String({ examples: ["Ada"] });

  test("required fields and optional ones that have an example", () => {
    const schema = shape({ name, nick: optional(Type.String()), title: optional(Type.String({ examples: ["Dr"] })) });
    expect(exampleOf(plain(schema), {})).toEqual({ value: { name: "Ada", title: "Dr" } });
  });

  test("the items of a list, and constants as they are", () => {
    const schema = shape({ names: Type.Array(name), deleted: Type.Literal(true) });
    expect(exampleOf(plain(schema), {})).toEqual({ value: { names: ["Ada"], deleted: true } });
  });

  test("no invented values: a required field without an example is a gap", () => {
    const schema = shape({ people: Type.Array(shape({ name: Type.String() })) });
    expect(exampleOf(plain(schema), {})).toEqual({ gaps: ["/people/0/name"] });
  });
});

describe("a response that is not JSON", () => {
  const app = new Elysia()
    .get("/export.csv", () => new Response("a,b", { headers: { "content-type": "text/csv" } }), {
      response: { 200: Type.String({ contentMediaType: "text/csv", examples: ["day,clicks"] }) },
      detail: { operationId: "exportCsv", security: [], "x-access": { public: true } },
    })
    .get("/icon", () => new Response("png"), {
      response: { 200: Type.String({ contentMediaType: "image/png" }) },
      detail: { operationId: "icon", security: [], "x-access": { public: true } },
    })
    .get("/start", () => Response.redirect("/", 302), {
      response: { 302: Type.Void({ description: "To the identity provider" }) },
      detail: { operationId: "start", security: [], "x-access": { public: true } },
    });

  const requestId = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };

  test.each<[string, Operation["responses"][string]]>([
    [
      "/export.csv",
      {
        description: "Done",
        headers: {
          "Content-Disposition": {
            description: "`attachment`, with a name for the file",
            schema: { type: "string", examples: ['attachment; filename="links.csv"'] },
          },
          ...requestId,
        },
        content: {
          "text/csv": {
            schema: { type: "string", contentMediaType: "text/csv", examples: ["day,clicks"] },
            example: "day,clicks",
          },
        },
      },
    ],
    ["/icon", { description: "Done", headers: requestId, content: { "image/png": {} } }],
    [
      "/start",
      {
        description: "To the identity provider",
        headers: {
          Location: { description: "Where to continue", schema: { type: "string", format: "uri" } },
          ...requestId,
        },
      },
    ],
  ])("of %s is described by its media type or its redirect", async (path, response) => {
    const { document } = await buildDocument(app, "https://links.acme.dev");
    expect(Object.values(document.paths[path]?.get?.responses ?? {})).toContainEqual(response);
  });

  test("is not validated against its schema when it is sent", async () => {
    for (const path of ["/export.csv", "/icon"]) {
      expect((await app.handle(new Request(`http://localhost${path}`))).status).toBe(200);
    }
  });
});
