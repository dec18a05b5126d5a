import { ROLES, type Role } from "@/contract/accounts/access";
import type { Plan } from "@/contract/accounts/plans";

/**
 * Who may see what, in types. An `OrgId` comes only out of the access checks (or of the row just created), never out of a
 * path or a body, and every store of tenant data takes one: forgetting the check does not compile.
 */
declare const orgIdBrand: unique symbol;
export type OrgId = string & { readonly [orgIdBrand]: true };

/** Whether a role may do what asks for `needed`; each role may do all the lower ones may. */
export const roleAllows = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export interface Actor {
  type: "user" | "apiKey" | "system";
  id: string | null;
  email: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The access token that the user sent; absent when they were signed in. */
  accessToken?: { id: string; name: string };
}

/** Whose data, and on whose behalf: what a service of tenant data is handed first. */
export interface Tenant {
  orgId: OrgId;
  actor: Actor;
  /** The organization's plan, as it was when the request was let in. */
  plan?: Plan;
  /** Aborts when whoever asked hangs up. */
  signal?: AbortSignal;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
