/**
 * Adds further faults to those of a body that violates its schema. A route that checks more than its schema can
 * express registers its check with `alsoChecked` (see `access.ts`). The check then receives the fields that satisfy
 * the schema, so that one response lists all faults. A body that satisfies its schema is checked only by the route
 * itself, unless it contains what no field may hold (`unfit.ts`): then the schema and the check receive the repaired
 * body, and the request is rejected with their faults as well.
 */
import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Tenant } from "@/core/ids";
import { type HttpError, invalid } from "../errors";
import { faultsOf } from "./combined-faults";
import { ofListedFields, type Unfit } from "./unfit";

export interface CheckContext {
  tenant: Tenant;
  params: Record<string, string | null>;
}

/** Throws as the route itself would. */
export type SoundCheck = (asked: CheckContext, body: unknown) => unknown;

const unfitOf = new WeakMap<Request, Unfit[]>();
const checks = new WeakMap<Request, (body: unknown) => Promise<string[]>>();

export function rememberCheck(request: Request, asked: CheckContext, check: SoundCheck): void {
  checks.set(request, (body) => faultsOf(() => check(asked, body)));
}

export function rememberUnfit(request: Request, unfit: Unfit[]): void {
  if (unfit.length > 0) unfitOf.set(request, unfit);
}

/**
 * Rejects a body with what no field may hold after the schema check, so that no handler receives a repaired field.
 * `body` satisfies the schema.
 */
export function refuseUnfit(request: Request, body: unknown): Promise<void> | undefined {
  const known = unfitOf.get(request);
  if (!known) return undefined;
  const unfit = ofListedFields(known, body);
  unfitOf.set(request, unfit);
  return unfit.length > 0 ? refuse(request, body) : undefined;
}

async function refuse(request: Request, body: unknown): Promise<void> {
  throw await wrongBody(request, body, []);
}

/**
 * Returns a 400 with the schema's faults and all others, or with only the known ones if the additional check itself
 * fails.
 */
export async function wrongBody(request: Request, body: unknown, schemaFaults: string[]): Promise<HttpError> {
  const known = [...(unfitOf.get(request) ?? []).map(({ fault }) => fault), ...schemaFaults];
  try {
    return invalid([...new Set([...known, ...((await checks.get(request)?.(body)) ?? [])])]);
  } catch {
    return invalid(known);
  }
}

/** Wraps a check so that it receives only the fields that satisfy the schema. */
export const onValidFields =
  <Schema extends TObject>(
    schema: Schema,
    check: (asked: CheckContext, sound: Partial<Static<Schema>>) => unknown,
  ): SoundCheck =>
  (asked, body) =>
    check(asked, validFieldsOf(schema, body));

export function validFieldsOf<Schema extends TObject>(schema: Schema, body: unknown): Partial<Static<Schema>> {
  const fields = Object.entries(Object(body)).filter(([name, value]) => {
    const property = Object.hasOwn(schema.properties, name) && schema.properties[name];
    return property && Value.Check(property, value);
  });
  const part: unknown = Object.fromEntries(fields);
  return Value.Check(Type.Partial(schema), part) ? part : {};
}
