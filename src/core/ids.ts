import { ROLES, type Role } from "@/contract/accounts/access";
import type { Plan } from "@/contract/accounts/plans";

/**
 * Types that enforce tenant isolation. An `OrgId` comes only from the access checks (or from a row just created),
 * never from a path or a body, and every store of tenant data takes one: code that forgets the check does not
 * compile.
 */
declare const orgIdBrand: unique symbol;
export type OrgId = string & { readonly [orgIdBrand]: true };

/** True if `role` includes `needed`: each role may do everything that lower ones may. */
export const roleAllows = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export interface Actor {
  type: "user" | "apiKey" | "system";
  id: string | null;
  email: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The access token that the user sent; absent if they were signed in. */
  accessToken?: { id: string; name: string };
}

/** Whoever changes something on behalf of no user: background work, and the operator's commands. */
export const SYSTEM: Actor = { type: "system", id: null, email: null, ip: null, userAgent: null };

/** The organization whose data is accessed, and on whose behalf: the first argument of services for tenant data. */
export interface Tenant {
  orgId: OrgId;
  actor: Actor;
  /** The organization's plan when the request was admitted. */
  plan?: Plan;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
}

/** Sorts before every id, or with the first: where reading in the order of ids begins. */
export const LEAST_ID = "00000000-0000-0000-0000-000000000000";

/** A day before the year 10000, for which ISO 8601 writes what Postgres does not read. */
const TIME_MAX = Date.UTC(9999, 11, 31);

/** Returns the time in a UUIDv7, in Unix milliseconds; undefined for one later than any can be, and any other UUID. */
export function timeOfId(id: string): number | undefined {
  const at = id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
  return at !== undefined && at <= TIME_MAX ? at : undefined;
}

/**
 * The id of a click contains a time: that of the visit in current clicks, that of the response in older ones, at most
 * this much apart.
 */
export const CLICK_ID_WITHIN_MS = 600_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
