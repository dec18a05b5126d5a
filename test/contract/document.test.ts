import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dereferenced, faults } from "@test/support/document/conforms";
import { DESCRIBED_ORIGIN, describeApp, operationsOf } from "@test/support/document/described";
import { WEBHOOK_EVENTS } from "@/contract/webhooks";
import { destinationsOf } from "@/core/safety/destinations";
import type { MediaType } from "@/http/document/types";

const { document, gaps } = await describeApp();
const operations = operationsOf(document);

/** Schemas that the document must name. */
const NAMED = [
  ...["Error", "Health", "User", "Organization", "Branding", "AuthSession", "RegisterInput", "LoginInput"],
  ...["Link", "LinkInput", "LinkUpdate", "RoutingRule", "SplitTarget", "Utm", "MarketingAttribution"],
  ...["LinkPreviewInput", "LinkPreviewResponse", "ResolveResponse", "AnalyticsOverview"],
  ...["ApiKeyInput", "ApiKeyCreated", "TopLinks", "Report", "ReportInput", "ReportUpdate"],
];

const MEDIA_TYPES = [
  "multipart/form-data",
  "application/json",
  "text/csv",
  "application/jsonl",
  "text/plain",
  "text/event-stream",
  "image/png",
  "application/octet-stream",
  "application/gzip",
];

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1.0 of API version 1.0.0, served from the configured origin", () => {
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Waymark API", version: "1.0.0" },
      servers: [{ url: DESCRIBED_ORIGIN }],
    });
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      apiKey: { type: "apiKey", in: "header", name: "Authorization" },
      operator: { type: "http", scheme: "bearer" },
    });
  });

  test.each([
    ["Redocly", ["redocly", "lint", "--config", "test/contract/redocly.yaml"], "valid"],
    [
      "Spectral",
      ["spectral", "lint", "--fail-severity", "hint", "--ruleset", "test/contract/spectral.yaml"],
      "No results",
    ],
  ])("passes %s at its strictest, without a warning", async (_, [name, ...options], verdict) => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-document-"));
    const path = join(folder, "openapi.json");
    await Bun.write(path, JSON.stringify(document, null, 1));
    const linter = Bun.spawn([process.execPath, `node_modules/.bin/${name}`, ...options, path], {
      env: { ...Bun.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stderr: "pipe",
    });
    const [said, complained] = await Promise.all([
      new Response(linter.stdout).text(),
      new Response(linter.stderr).text(),
    ]);
    await rm(folder, { recursive: true });
    const all = said + complained;
    expect({ code: await linter.exited, all }).toMatchObject({ code: 0, all: expect.stringContaining(verdict) });
    expect(all).not.toMatch(/\d+:\d+ +(warning|information|hint)|warning:/i);
  });

  test("has no enumeration with null among its values", () => {
    const found: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (key === "enum" && Array.isArray(value) && value.includes(null)) found.push(JSON.stringify(value));
      return value;
    });
    expect(found).toEqual([]);
  });

  test.each(NAMED)("names the schema %s", (name) => {
    expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test("contains only JSON Schema 2020-12, according to a validator that refuses unknown keywords", () => {
    const schemas = Object.values(document.components.schemas);
    const parameters = operations.flatMap((operation) => (operation.parameters ?? []).map(({ schema }) => schema));
    for (const schema of [...schemas, ...parameters]) expect(() => faults(document, schema, null)).not.toThrow();
  });

  test("uses known media types, one for each body, except for uploads that may also be JSON", () => {
    for (const { content } of bodies()) {
      const types = Object.keys(content).filter(
        (type, _, all) => type !== "application/json" || !all.includes("multipart/form-data"),
      );
      expect(types).toHaveLength(1);
      expect(MEDIA_TYPES).toContainAnyValues(types);
    }
  });

  test("describes a number in a query as a number, and a choice as an enumeration", () => {
    const list = operations.find(({ operationId }) => operationId === "listLinks");
    const page = list?.parameters?.find(({ name }) => name === "page");
    expect(page?.schema).toMatchObject({ type: "integer", minimum: 1 });
    const resolve = operations.find(({ operationId }) => operationId === "resolveLink");
    const platform = resolve?.parameters?.find(({ name }) => name === "platform");
    expect(platform?.schema).toEqual({ type: "string", enum: ["ios", "android", "desktop", "other"] });
  });

  test("refers to named schemas within other schemas", () => {
    const { Link, LinkUpdate, AuthSession } = document.components.schemas;
    expect(Link?.properties?.rules?.items).toEqual({ $ref: "#/components/schemas/RoutingRule" });
    expect(Link?.properties?.utm).toEqual({ $ref: "#/components/schemas/Utm" });
    expect(AuthSession?.properties?.user).toEqual({ $ref: "#/components/schemas/User" });
    expect(LinkUpdate?.properties?.title).toMatchObject({ type: ["string", "null"] });
    expect(LinkUpdate?.properties?.utm).toEqual({ anyOf: [{ $ref: "#/components/schemas/Utm" }, { type: "null" }] });
  });

  test("names every destination whose safety is checked", () => {
    const url = "https://acme.com/";
    const target = { key: "a", destinationUrl: url };
    const checked = destinationsOf({
      ...{ defaultUrl: url, expiredUrl: url, ctaOverlay: { buttonUrl: url } },
      ...{ rules: [{ destinationUrl: url }], splitTargets: [target] },
    });
    const { description } = document.components.schemas.Safety ?? {};
    for (const { field } of checked) expect(description).toContain(`\`${field.replace(/\[.*/, "")}\``);
  });
});

describe("the webhooks section", () => {
  test("describes every event, and the batch", () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENTS, "batch"]);
  });

  test.each(Object.entries(document.webhooks))(
    "%s has headers, a signature, an example and responses",
    (event, { post }) => {
      expect(post.operationId).toMatch(/^on[A-Z]/);
      expect((post.parameters ?? []).map(({ name }) => name)).toEqual(
        expect.arrayContaining(["X-Webhook-Event", "X-Webhook-Signature", "webhook-id", "webhook-signature"]),
      );
      const { schema, example } = post.requestBody.content["application/json"] ?? {};
      expect(schema && faults(document, schema, example)).toEqual([]);
      expect(schema && faults(document, schema, { event })).not.toEqual([]);
      expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(["2XX", "410"]));
    },
  );

  // `test/integration/webhooks/webhooks-events.test.ts` checks real deliveries against this section.
});

describe("examples", () => {
  test("exist for every body", () => {
    expect(gaps).toEqual([]);
  });

  test("match their schemas, without anything else", () => {
    const wrong = bodies().flatMap(({ place, content }) => {
      const { schema, example } = content["application/json"] ?? {};
      return schema ? faults(document, schema, example).map((fault) => `${place}: ${fault}`) : [];
    });
    expect(wrong).toEqual([]);
  });
});

function bodies(): { place: string; content: Record<string, MediaType> }[] {
  return operations.flatMap(({ operationId, requestBody, responses }) => {
    const answers = Object.entries(responses).map(([status, response]) => {
      const { content } = dereferenced(document, response);
      return { place: `${operationId} ${status}`, content };
    });
    return [{ place: `${operationId} request`, content: requestBody?.content }, ...answers].flatMap(
      ({ place, content }) => (content ? [{ place, content }] : []),
    );
  });
}
