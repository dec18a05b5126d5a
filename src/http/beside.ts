/**
 * What else is wrong with a body that breaks its schema. A route that checks more than the schema can say names its check
 * (`alsoChecked`, see `access.ts`); it is then shown those fields that are as the schema wants them, so that one answer
 * tells of all faults. A body that keeps to its schema is checked by the route itself, unless some of its text is unfit for
 * any field (`body.ts`): then the schema and the check see it mended, and it is refused with what they find as well.
 */
import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Tenant } from "@/core/ids";
import { type HttpError, invalid } from "./errors";
import { faultsOf } from "./together";

export interface Asked {
  tenant: Tenant;
  params: Record<string, string | null>;
}

/** Throws what is wrong, as the route itself would. */
export type SoundCheck = (asked: Asked, body: unknown) => unknown;

const unfitText = new WeakMap<Request, string[]>();
const checks = new WeakMap<Request, (body: unknown) => Promise<string[]>>();

export function rememberCheck(request: Request, asked: Asked, check: SoundCheck): void {
  checks.set(request, (body) => faultsOf(() => check(asked, body)));
}

export function rememberUnfitText(request: Request, faults: string[]): void {
  if (faults.length > 0) unfitText.set(request, faults);
}

/** Once the schema has had its say: no handler gets to see mended text. */
export const refuseUnfitText = (request: Request, body: unknown): Promise<void> | undefined =>
  unfitText.has(request) ? refuse(request, body) : undefined;

async function refuse(request: Request, body: unknown): Promise<void> {
  throw await wrongBody(request, body, []);
}

/** What breaks the schema, and what else is wrong. Where that cannot be found out, the rest is told without it. */
export async function wrongBody(request: Request, body: unknown, schemaFaults: string[]): Promise<HttpError> {
  const known = [...(unfitText.get(request) ?? []), ...schemaFaults];
  try {
    return invalid([...new Set([...known, ...((await checks.get(request)?.(body)) ?? [])])]);
  } catch {
    return invalid(known);
  }
}

/** A check of the fields that are sound. */
export const ofSound =
  <Schema extends TObject>(
    schema: Schema,
    check: (asked: Asked, sound: Partial<Static<Schema>>) => unknown,
  ): SoundCheck =>
  (asked, body) =>
    check(asked, soundPart(schema, body));

export function soundPart<Schema extends TObject>(schema: Schema, body: unknown): Partial<Static<Schema>> {
  const fields = Object.entries(Object(body)).filter(([name, value]) => {
    const property = Object.hasOwn(schema.properties, name) && schema.properties[name];
    return property && Value.Check(property, value);
  });
  const part: unknown = Object.fromEntries(fields);
  return Value.Check(Type.Partial(schema), part) ? part : {};
}
