/** Runs every hostile value at every field of a route's body. */
import { beforeAll, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { fieldsOf } from "../failure";
import type { CallOptions, Reply, TestService } from "../service";
import { tableState } from "../tenants";
import { type Field, fieldsOfSchema, withValue } from "./fields";
import { ODD_TEXTS, type Value, wrongTypes, wrongValues } from "./values";

export interface HostileRoute {
  method: string;
  path: string;
  schema: TSchema;
  /** A body with every field of the schema, which the route takes. */
  valid: Record<string, unknown>;
  credentials?: Pick<CallOptions, "token" | "apiKey">;
  /** Fields whose value nothing more is said of than their type; odd text there comes back as it was sent. */
  echoed?: string[];
}

/** One test a field, so that what fails has a name. */
export function testHostileBodies(service: TestService, route: HostileRoute): void {
  const { method, path, schema, credentials } = route;
  // A text is sent as JSON, too: as it stands it would be another body, or none.
  const sent = (body: unknown) => (typeof body === "string" ? JSON.stringify(body) : body);
  const send = (body: unknown) => service.call(method, path, { ...credentials, body: sent(body) });

  let before: Record<string, string>;
  beforeAll(async () => {
    before = await tableState(service.sql);
  });

  for (const field of fieldsOfSchema(schema)) {
    test(`${field.name} is refused when wrong, and named`, async () => {
      const values = [...wrongTypes(field.schema, field.isNullable), ...wrongValues(field.schema)];
      const answers = await answersTo(values, (value) => send(withValue(route.valid, field.place, value)));
      expect(answers.filter(({ reply }) => !isRefusalOf(field, reply)).map(described)).toEqual([]);
    });
  }

  test("none of what was refused has written anything", async () => {
    expect(await tableState(service.sql)).toEqual(before);
  });

  for (const field of fieldsOfSchema(schema).filter(takesText)) {
    test(`${field.name} may hold odd text or refuses it, and the server bears it`, async () => {
      const answers = await answersTo(ODD_TEXTS, (value) => send(withValue(route.valid, field.place, value)));
      expect(answers.filter(({ reply }) => !isRefusalOf(field, reply) && !isBorne(reply)).map(described)).toEqual([]);
      if (!route.echoed?.includes(field.name)) return;
      const echoes = answers.map(({ reply }) => valueAt(reply.body, field.place));
      expect(echoes).toEqual(ODD_TEXTS.map(({ value }) => value));
    });
  }
}

interface Answer {
  value: Value;
  reply: Reply;
}

const answersTo = (values: Value[], send: (value: unknown) => Promise<Reply>): Promise<Answer[]> =>
  Promise.all(values.map(async (value) => ({ value, reply: await send(value.value) })));

const takesText = ({ schema }: Field) => schema.type === "string" && schema.pattern === undefined;

/** Taken, or the name of something there is not, or is already. */
const isBorne = ({ status }: Reply) => status === 404 || status === 409 || (status >= 200 && status < 300);

/** 400 with nothing but faults of this field, or of what is within it. */
function isRefusalOf({ name }: Field, { status, body }: Reply): boolean {
  if (status !== 400) return false;
  const fields = fieldsOf(body);
  return fields.length > 0 && (name === "body" || fields.every((field) => field.startsWith(name)));
}

const described = ({ value, reply: { status, body } }: Answer) =>
  `${value.name}: ${status} ${JSON.stringify(body).slice(0, 200)}`;

const valueAt = (body: unknown, place: Field["place"]): unknown =>
  place.reduce<unknown>((inner, step) => Object(inner)[step], body);
