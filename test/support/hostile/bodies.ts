/** Sends every hostile value in every field of a route's body. */
import { beforeAll, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { limitConcurrency } from "@/platform/concurrency";
import { tableState } from "../accounts/tenants";
import { fieldsOf } from "../failure";
import type { CallOptions, Reply, TestService } from "../service";
import { type Field, fieldsOfSchema, valueAt, withValue } from "./fields";
import { type FieldReply, sendOddFields } from "./together";
import { ODD_TEXTS, type Value, wrongTypes, wrongValues } from "./values";

/** On a busy machine, hundreds would wait for a connection for so long that the service refuses some. */
const AT_ONCE = 32;

export interface HostileRoute {
  method: string;
  path: string;
  schema: TSchema;
  /** A body with every field of the schema, which the route accepts. */
  valid: Record<string, unknown>;
  credentials?: Pick<CallOptions, "token" | "apiKey">;
  /** Fields that accept any value of their type. Odd text in them is returned unchanged. */
  echoed?: string[];
}

/** Defines one test per field, so that a failure names the field. The odd values of all fields are sent together. */
export function testHostileBodies(service: TestService, route: HostileRoute): void {
  const { method, path, schema, credentials } = route;
  const fields = fieldsOfSchema(schema);
  const texts = fields.filter(takesText);
  const wrong = (field: Field) => [...wrongTypes(field.schema, field.isNullable), ...wrongValues(field.schema)];
  // Encodes strings too: sent unchanged, one would be a different body, or none.
  const sent = (body: unknown) => (typeof body === "string" ? JSON.stringify(body) : body);
  const refusal = () => new Error("This is not refused");
  const inTurn = limitConcurrency({ runningMax: AT_ONCE, waitingMax: Number.POSITIVE_INFINITY, refusal });
  const send = (odd: Odd[]) => {
    const body = odd.reduce<unknown>((whole, { place, value }) => withValue(whole, place, value.value), route.valid);
    return inTurn(() => service.call(method, path, { ...credentials, body: sent(body) }));
  };

  let before: Record<string, string>;
  let refusals: Answer[];
  let borne: Answer[];
  beforeAll(async () => {
    before = await tableState(service.sql);
    refusals = await answersTo(fields, wrong, send);
  });

  for (const field of fields) {
    test(`${field.name} is refused when wrong, and named`, () => {
      const answers = refusals.filter(isAt(field));
      expect(answers.filter((answer) => !isRefusal(answer)).map(described)).toEqual([]);
      expect(answers).toHaveLength(wrong(field).length);
    });
  }

  test("none of what was refused has written anything", async () => {
    const after = await tableState(service.sql);
    borne = await answersTo(texts, () => ODD_TEXTS, send);
    expect(after).toEqual(before);
  });

  for (const field of texts) {
    test(`${field.name} may hold odd text or refuses it, and the server bears it`, () => {
      const answers = borne.filter(isAt(field));
      expect(answers.filter((answer) => !isRefusal(answer) && !isBorne(answer.reply)).map(described)).toEqual([]);
      expect(answers).toHaveLength(ODD_TEXTS.length);
      if (!route.echoed?.includes(field.name)) return;
      const echoes = answers.map(({ reply }) => valueAt(reply.body, field.place));
      expect(echoes).toEqual(ODD_TEXTS.map(({ value }) => value));
    });
  }
}

interface Odd extends Field {
  value: Value;
}

type Answer = FieldReply<Odd, Reply>;

/**
 * Returns one reply for each value of each field. Values with the same name are sent together, because the same stage
 * of validation refuses them.
 */
async function answersTo(
  fields: Field[],
  valuesOf: (field: Field) => Value[],
  send: (odd: Odd[]) => Promise<Reply>,
): Promise<Answer[]> {
  const odd = fields.flatMap((field) => valuesOf(field).map((value) => ({ ...field, value })));
  const kinds = Map.groupBy(odd, ({ value }) => value.name);
  const answers = await Promise.all([...kinds.values()].map((alike) => sendOddFields(alike, send)));
  return answers.flat();
}

const isAt =
  ({ name }: Field) =>
  ({ field }: Answer) =>
    field.name === name;

const takesText = ({ schema }: Field) => schema.type === "string" && schema.pattern === undefined;

/** True if the text was accepted, or names something that does not exist (404) or already exists (409). */
const isBorne = ({ status }: Reply) => status === 404 || status === 409 || (status >= 200 && status < 300);

/** True for a 400 with faults of this field or of fields within it, and of no field that had a valid value. */
function isRefusal({ field, sent, reply: { status, body } }: Answer): boolean {
  if (status !== 400) return false;
  const named = fieldsOf(body);
  const isOf = (name: string) => (one: string) => name === "body" || one.startsWith(name);
  return named.some(isOf(field.name)) && named.every((one) => sent.some(({ name }) => isOf(name)(one)));
}

const described = ({ field: { value }, sent, reply: { status, body } }: Answer) =>
  `${value.name} at ${sent.map(({ name }) => name).join(", ")}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
