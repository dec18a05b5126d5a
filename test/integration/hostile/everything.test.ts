/**
 * No input causes a server error: every field, query value and path parameter of every operation of the document, and
 * the request around them, gets values that careless code trips over. The first of each kind gets all of them, the
 * others a share (`shares.ts`). The other tests in this folder check how each is refused.
 */
import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { type DescribedOperation, describeApp, operationsOf } from "@test/support/document/described";
import { type Field, fieldsOfSchema, type Place, valueAt, withParents, withValue } from "@test/support/hostile/fields";
import { ODD_BODIES, ODD_BODY_HEADERS, ODD_ESCAPES, ODD_HEADERS, ODD_JSON } from "@test/support/hostile/odd-json";
import { dealer, kindOf } from "@test/support/hostile/shares";
import { sendOddFields } from "@test/support/hostile/together";
import { UNFIT_TEXTS } from "@test/support/hostile/values";
import { makeWorkspace } from "@test/support/hostile/workspace";
import { startTestDns } from "@test/support/servers/dns";
import { CLIENT_HEADER, startTestService } from "@test/support/service";

/** Minutes to move the clock ahead after requests that exceeded a limit per minute. */
let minutes = 0;
const clock = () => Date.now() + minutes * 60_000;
const dns = await startTestDns();
const service = await startTestService({ clock, env: { DNS_SERVERS: dns.address } });
const { account, apiKey, ids } = await makeWorkspace(service);
await service.createLink(account, { defaultUrl: "https://example.com/", slug: "kept" });
const { app, document } = await describeApp();
const operations = operationsOf(document);

/** Requests sent concurrently. */
const BATCH = 12;
/** Retries of a request that a limit refused, each in another minute. */
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

/** Values for query parameters that the route requires. */
const KNOWN: Record<string, string> = { domain: service.host, hostname: "go.everything.test", slug: "kept" };
const knownQuery = ({ name }: { name: string }) => `${name}=${KNOWN[name]}`;

let addresses = 0;

interface Answer {
  status: number;
  body: unknown;
  attempt: Attempt;
}

/** Sends the request, and again in another minute if a limit refused it. */
async function answerTo(operation: DescribedOperation, attempt: Attempt): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await answerOnce(operation, attempt);
    if (answer.status !== 429 || tries === TRIES_MAX) return answer;
    minutes++;
  }
}

async function answerOnce(operation: DescribedOperation, attempt: Attempt): Promise<Answer> {
  const { path, headers, body } = attempt;
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
  const { status } = response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? void (await response.body?.cancel()) : await response.text();
  return { status, attempt, body: status === 400 && text ? JSON.parse(text) : null };
}

/** A server error, or a limit that refused the request and could hide one. */
const faultOf = ({ status, attempt }: Answer): string[] =>
  status >= 500 || status === 429 ? [`${status}: ${JSON.stringify(attempt).slice(0, 300)}`] : [];

/** Returns the faults that these attempts caused. */
async function brokenBy(operation: DescribedOperation, attempts: Attempt[]): Promise<string[]> {
  const broken: string[] = [];
  for (let start = 0; start < attempts.length; start += BATCH) {
    const batch = attempts.slice(start, start + BATCH);
    const answers = await Promise.all(batch.map((attempt) => answerTo(operation, attempt)));
    broken.push(...answers.flatMap(faultOf));
  }
  return broken;
}

/** Returns the faults that one odd value causes in many fields. */
async function brokenTogether<One extends Pick<Field, "name" | "place">>(
  operation: DescribedOperation,
  fields: One[],
  attemptOf: (some: One[]) => Attempt,
): Promise<string[]> {
  const told = await sendOddFields(fields, (some) => answerTo(operation, attemptOf(some)));
  return told.flatMap(({ reply }) => faultOf(reply));
}

/** A key for the credentials that are checked before anything else of the request. */
const guardOf = ({ security = [] }: DescribedOperation) => JSON.stringify(security);

const nameOf = ({ method, path }: DescribedOperation) => `${method} ${path}`;
const named = (listed: DescribedOperation[]) => listed.map((operation) => [nameOf(operation), operation] as const);

/** Returns the schema that the route checks. If it checks a list's items one by one, the items' schema is included. */
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

/** Returns the body with raw JSON at each place. */
function withRaw(body: unknown, odd: (Field & { raw: string })[]): string {
  const marked = odd.reduce((whole, { place }, index) => withValue(whole, place, `@odd${index}@`), body);
  return JSON.stringify(marked).replaceAll(/"@odd(\d+)@"/g, (_, index) => String(odd[index]?.raw));
}

/** Returns the body's object at the place, with members that have a meaning in JavaScript. */
function withMembers(body: unknown, place: Place): string {
  const members = '"toString": 1, "valueOf": {}, "toJSON": 1, "then": 1, "length": -1, "constructor": 1';
  return JSON.stringify({ ...Object(valueAt(body, place)), [MARK]: 1 }).replace(`"${MARK}":1`, () => members);
}

const MARK = "@members@";
const RAWS = [...ODD_JSON, ...UNFIT_TEXTS.map(({ value }) => JSON.stringify(value))];

const deal = dealer();
const withBodies = operations.filter(({ requestBody }) => requestBody !== undefined);

describe.each(named(withBodies))("%s", (_, operation) => {
  const example = operation.requestBody?.content["application/json"]?.example;
  const path = pathOf(operation);
  const fields = fieldsOfSchema(schemaOf(operation));
  const whole = withParents(example, fields);

  test("no field value causes a server error", async () => {
    const objects = fields.filter(({ schema }) => schema.type === "object");
    const dealt = fields.flatMap((field) =>
      deal(`field ${kindOf(field.schema)}`, RAWS).map((raw) => ({ ...field, raw })),
    );
    const kinds = [
      ...Map.groupBy(dealt, ({ raw }) => raw).values(),
      objects.map((field) => ({ ...field, raw: withMembers(whole, field.place) })),
    ];
    const broken: string[] = [];
    for (const odd of kinds) {
      broken.push(...(await brokenTogether(operation, odd, (some) => ({ path, body: withRaw(whole, some) }))));
    }
    expect(broken).toEqual([]);
  });

  test("no body causes a server error", async () => {
    const body = JSON.stringify(example);
    const attempts = [
      ...ODD_BODIES.map((odd) => ({ path, body: odd })),
      ...ODD_BODY_HEADERS.map((headers) => ({ path, body, headers })),
    ];
    const dealt = deal(`body ${guardOf(operation)}`, attempts);
    expect(await brokenBy(operation, dealt)).toEqual([]);
  });
});

describe.each(named(operations))("%s", (_, operation) => {
  const ofPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const ofQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");

  if (ofPath.length > 0) {
    test("no path causes a server error", async () => {
      const attempts = ofPath.flatMap(({ name }) =>
        deal(`path ${name}`, ODD_ESCAPES).map((odd) => ({ path: pathOf(operation, { [name]: odd }) })),
      );
      expect(await brokenBy(operation, attempts)).toEqual([]);
    });
  }

  test("no query causes a server error", async () => {
    const path = pathOf(operation, operation.method === "DELETE" ? { orgId: Bun.randomUUIDv7() } : {});
    const isSafe = operation.method === "GET";
    const odd = isSafe ? [...ODD_ESCAPES, "a&a=b", "&", "[$gt]=1", "1e400", "{}", "[]"] : ["%ff", "%00", "%"];
    const required = ofQuery.filter((parameter) => parameter.required);
    const read = isSafe ? ofQuery.map(({ name, schema }) => ({ name, kind: kindOf(schema) })) : [];
    const dealt = [...read, { name: "unknown", kind: `unknown of ${operation.method}` }].flatMap(({ name, kind }) =>
      deal(`query ${kind}`, odd).map((value) => ({ name, place: [name], value })),
    );
    const broken = await brokenBy(operation, [{ path: `${path}?%ff=1&%=&=%00&[]&&=` }]);
    for (const [value, fields] of Map.groupBy(dealt, ({ value }) => value)) {
      broken.push(
        ...(await brokenTogether(operation, fields, (some) => {
          const known = required.filter(({ name }) => !some.some((one) => one.name === name));
          const query = [...known.map(knownQuery), ...some.map(({ name }) => `${name}=${value}`)];
          return { path: `${path}?${query.join("&")}` };
        })),
      );
    }
    expect(broken).toEqual([]);
  });

  // Only reads: signing out or deleting would break the other tests.
  if (operation.method === "GET") {
    test("no header causes a server error", async () => {
      const path = pathOf(operation);
      expect(
        await brokenBy(
          operation,
          deal(`header ${guardOf(operation)}`, ODD_HEADERS).map((headers) => ({ path, headers })),
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
