/**
 * No input is an error of the server's: every field, query value and path parameter of every operation of the document,
 * and the frame around them, is given what careless code stumbles over. The tests beside this one say how each is refused.
 */
import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { type DescribedOperation, describeApp, operationsOf } from "@test/support/described";
import { startTestDns } from "@test/support/dns";
import { fieldsOfSchema, type Place, withValue } from "@test/support/hostile/fields";
import { ODD_BODIES, ODD_BODY_HEADERS, ODD_ESCAPES, ODD_HEADERS, ODD_JSON } from "@test/support/hostile/odd-json";
import { UNFIT_TEXTS } from "@test/support/hostile/values";
import { makeWorkspace } from "@test/support/hostile/workspace";
import { CLIENT_HEADER, startTestService } from "@test/support/service";

/** Moved on where requests were too many for a minute. */
let minutes = 0;
const clock = () => Date.now() + minutes * 60_000;
const dns = await startTestDns();
const service = await startTestService({ clock, env: { DNS_SERVERS: dns.address } });
const { account, apiKey, ids } = await makeWorkspace(service);
const { app, document } = await describeApp();
const operations = operationsOf(document);

/** So many are under way at once. */
const BATCH = 12;
/** Of a request that a limit held back, each in another minute. */
const TRIES_MAX = 3;

interface Attempt {
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

const credentialsOf = ({ security = [] }: DescribedOperation): Record<string, string> => {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  if (scheme === undefined) return {};
  return { authorization: scheme === "apiKey" ? `ApiKey ${apiKey}` : `Bearer ${account.token}` };
};

const pathOf = ({ path }: DescribedOperation, odd: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => odd[name] ?? ids[name] ?? Bun.randomUUIDv7());

let addresses = 0;

async function statusOf(operation: DescribedOperation, { path, headers, body }: Attempt): Promise<number> {
  const response = await fetch(service.url + path, {
    method: operation.method,
    redirect: "manual",
    headers: {
      [CLIENT_HEADER]: `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...credentialsOf(operation),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body,
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
  else await response.arrayBuffer();
  return response.status;
}

/** Those that were answered as an error of ours, or cut off by a limit, which would hide one. */
async function brokenBy(operation: DescribedOperation, attempts: Attempt[]): Promise<string[]> {
  const broken: string[] = [];
  for (let start = 0; start < attempts.length; start += BATCH) {
    const batch = attempts.slice(start, start + BATCH);
    const statuses = await Promise.all(batch.map((attempt) => statusOf(operation, attempt)));
    for (const [index, attempt] of batch.entries()) {
      let status = statuses[index] ?? 0;
      for (let tries = 0; status === 429 && tries < TRIES_MAX; tries++) {
        minutes++;
        status = await statusOf(operation, attempt);
      }
      if (status >= 500 || status === 429) broken.push(`${status}: ${JSON.stringify(attempt).slice(0, 300)}`);
    }
  }
  return broken;
}

const nameOf = ({ method, path }: DescribedOperation) => `${method} ${path}`;
const named = (listed: DescribedOperation[]) => listed.map((operation) => [nameOf(operation), operation] as const);

/** The schema the route itself checks by; of a list whose items are checked one by one, with the items' own. */
function schemaOf({ method, path }: DescribedOperation): TSchema {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const hooks: { body?: TSchema } | undefined = app.routes.find(
    (route) => route.method === method && route.path === pattern,
  )?.hooks;
  const schema = hooks?.body ?? Type.Object({});
  const properties = Object.entries<TSchema>(schema.properties ?? {}).map(([name, property]) => {
    const { documentedItems, ...list } = property;
    return [name, documentedItems ? { ...list, items: documentedItems } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

const MARK = "@odd@";
const MEMBERS = '"toString": 1, "valueOf": {}, "toJSON": 1, "then": 1, "length": -1, "constructor": 1';

/** The body with raw JSON at the place. */
const withRaw = (body: unknown, place: Place, raw: string) =>
  JSON.stringify(withValue(body, place, MARK)).replace(`"${MARK}"`, () => raw);

/** The body with odd members in the object at the place. */
const withMembers = (body: unknown, place: Place) =>
  JSON.stringify(withValue(body, [...place, MARK], 1)).replace(`"${MARK}":1`, () => MEMBERS);

const withBodies = operations.filter(({ requestBody }) => requestBody !== undefined);

describe.each(named(withBodies))("%s", (_, operation) => {
  const example = operation.requestBody?.content["application/json"]?.example;
  const path = pathOf(operation);
  const fields = fieldsOfSchema(schemaOf(operation));

  test("no field's value is an error of ours", async () => {
    const texts = UNFIT_TEXTS.map(({ value }) => JSON.stringify(value));
    const attempts = fields.flatMap(({ place, schema }) => [
      ...[...ODD_JSON, ...texts].map((raw) => ({ path, body: withRaw(example, place, raw) })),
      ...(schema.type === "object" ? [{ path, body: withMembers(example, place) }] : []),
    ]);
    expect(await brokenBy(operation, attempts)).toEqual([]);
  });

  test("no body is an error of ours", async () => {
    const body = JSON.stringify(example);
    const attempts = [
      ...ODD_BODIES.map((odd) => ({ path, body: odd })),
      ...ODD_BODY_HEADERS.map((headers) => ({ path, body, headers })),
    ];
    expect(await brokenBy(operation, attempts)).toEqual([]);
  });
});

describe.each(named(operations))("%s", (_, operation) => {
  const ofPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const ofQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");

  if (ofPath.length > 0) {
    test("no path is an error of ours", async () => {
      const attempts = ofPath.flatMap(({ name }) =>
        ODD_ESCAPES.map((odd) => ({ path: pathOf(operation, { [name]: odd }) })),
      );
      expect(await brokenBy(operation, attempts)).toEqual([]);
    });
  }

  test("no query is an error of ours", async () => {
    const path = pathOf(operation, operation.method === "DELETE" ? { orgId: Bun.randomUUIDv7() } : {});
    const isSafe = operation.method === "GET";
    const odd = isSafe ? [...ODD_ESCAPES, "a&a=b", "&", "[$gt]=1", "1e400", "{}", "[]"] : ["%ff", "%00", "%"];
    const names = isSafe ? [...ofQuery.map(({ name }) => name), "unknown"] : ["unknown"];
    const attempts = names.flatMap((name) => odd.map((value) => ({ path: `${path}?${name}=${value}` })));
    expect(await brokenBy(operation, [...attempts, { path: `${path}?%ff=1&%=&=%00&[]&&=` }])).toEqual([]);
  });

  // Whoever signs out or deletes would take the ground from under the others.
  if (operation.method === "GET") {
    test("no header is an error of ours", async () => {
      const path = pathOf(operation);
      expect(
        await brokenBy(
          operation,
          ODD_HEADERS.map((headers) => ({ path, headers })),
        ),
      ).toEqual([]);
    });
  }
});

test("nothing was logged as an error", () => {
  const errors = service
    .logged()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  expect(errors.slice(0, 20)).toEqual([]);
});
