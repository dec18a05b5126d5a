/**
 * Access control. Each route declares who may call it: `public: true`, `page: true` (also public, for browsers; the
 * page reads its form itself), `operator: true`, `user: true`, `member: { role: "<least role>", scopes: [...] }` or
 * `apiKey: "<scope>"`. Except for `page`, the check runs in `transform`, before the body is read and validated: it
 * identifies the principal, counts the request against the principal's limits, requires the role or scope, and then
 * reads the body. `resolve` passes the principal to the handler. Only `member` and `apiKey` create an `OrgId` from a
 * request, so a route can reach an organization's data in no other way.
 *
 * A user calls with a session or an access token. An access token reaches only its own organization, and only routes
 * that list one of its scopes. So every `member` route must list scopes; an empty list excludes all access tokens.
 * Access tokens never reach `user` routes, which concern the account.
 */
import { Elysia } from "elysia";
import type { Role, Scope, TokenScope } from "@/contract/accounts/access";
import type { Plan } from "@/contract/accounts/plans";
import { type Actor, isUuid, roleAllows, type Tenant } from "@/core/ids";
import { refuseUnfit, rememberCheck, rememberUnfit, type SoundCheck } from "./body/body-faults";
import { type BodyRules, dropInherited, readJsonBody } from "./body/read-body";
import { type Access, OPTIONAL_BODY } from "./document/types";
import { forbidden, unauthenticated } from "./errors";
import { IDEMPOTENCY_PARAMETER, keyedRequest, type Repeatable, type RepeatableParts } from "./headers/idempotency-key";
import { checkQueryText } from "./query";
import { limitedUser, type RateLimit } from "./rate-limit";

interface UserCaller {
  userId: string;
  /**
   * The organization whose identity provider authenticated the user; null if they signed in with their own
   * credentials.
   */
  ssoOrgId: string | null;
  actor: Actor;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
}

export interface SignedIn extends UserCaller {
  sessionId: string;
  token: string;
  accessToken: null;
}

export interface TokenHolder extends UserCaller {
  accessToken: { id: string; orgId: string; scopes: readonly string[] };
}

/** The user on whose behalf a request is made. */
export type Principal = SignedIn | TokenHolder;

/** Returns the id of the session or access token that authenticated the request. */
export const credentialOf = (user: Principal): string =>
  user.accessToken === null ? user.sessionId : user.accessToken.id;

/** Lookups that the access checks need, implemented by the modules that own sessions, memberships and keys. */
export interface AccessChecks {
  /** Throws 401 without a valid session or access token. */
  user(request: Request): Promise<Principal>;
  /** Throws 404 if the user is not a member of the organization, or the access token belongs to another one. */
  member(user: Principal, orgId: string): Promise<Membership>;
  /** Throws 401 without a valid API key. */
  apiKey(request: Request): Promise<KeyHolder>;
  /** True if the request comes from this machine or carries the operator's token. */
  isOperator(request: Request): boolean;
}

export interface Membership extends Tenant {
  role: Role;
  plan: Plan;
}

export interface KeyHolder extends Tenant {
  keyId: string;
  scopes: readonly string[];
  plan: Plan;
}

/** Results of one request's checks, kept until `resolve` passes them on. */
interface Found {
  user?: Principal;
  tenant?: Tenant;
  role?: Role;
}

/** Access of a `member` route, and how its bodies are read if that differs from the default. */
interface Needed extends BodyRules {
  /** Minimum role. */
  role: Role;
  /** An access token needs one of these scopes; if the list is empty, a session is required. */
  scopes: readonly TokenScope[];
}

interface Incoming {
  request: Request;
  /** The route's pattern. */
  route: string;
  /** A value is null if its percent-encoding is malformed. Absent for routes without parameters. */
  params?: Record<string, string | null>;
  query?: unknown;
  body: unknown;
  set: { headers: Record<string, string | number> };
}

const found = new WeakMap<Request, Found>();

const OPERATORS_ONLY = "Call this from the machine itself, or send the operator's token";

/** Describes a route's access for the OpenAPI document and for the test that every route is guarded. */
const declared = (
  scheme: "bearer" | "apiKey" | "operator" | null,
  access: Access,
  { isOptional = false }: BodyRules = {},
) => ({
  detail: {
    security: [
      ...(scheme ? [{ [scheme]: [] }] : []),
      // The description lists the scopes: OpenAPI 3.1 permits role names for this scheme, but few tools support them.
      ...(access.scopes?.length ? [{ accessToken: [] }] : []),
    ],
    "x-access": access,
    ...(isOptional && { [OPTIONAL_BODY]: true }),
  },
});

/**
 * Checks the query and reads the body. Runs after the access checks, so that unauthorized callers learn nothing about
 * faults in them.
 */
async function readRequestInput(context: Incoming, rules: BodyRules = {}): Promise<void> {
  readIds(context.params ?? {});
  checkQueryText(context.request.url);
  dropInherited(context.query);
  if (context.request.method === "GET" || context.request.method === "HEAD" || rules.isUpload) return;
  const { value, unfit } = await readJsonBody(context.request, rules);
  rememberUnfit(context.request, unfit);
  dropInherited(value);
  context.body = value;
}

/** The plugin with which every module guards its routes. */
export type Guard = ReturnType<typeof access>;

export const access = (checks: AccessChecks, limit: RateLimit, repeating: RepeatableParts) =>
  new Elysia({ name: "access" })
    // The access check reads the body; this stops Elysia's own parsers from reading it first.
    .onParse({ as: "global" }, () => null)
    .onBeforeHandle({ as: "global" }, ({ request, body }) => refuseUnfit(request, body))
    .macro({
      public: (_: true) => ({
        transform: (context: Incoming) => readRequestInput(context),
        ...declared(null, { public: true }),
      }),
      operator: (_: true) => ({
        transform(context: Incoming) {
          if (!checks.isOperator(context.request)) throw unauthenticated(OPERATORS_ONLY);
          return readRequestInput(context);
        },
        ...declared("operator", { operator: true }),
      }),
      page: (_: true) => declared(null, { public: true }),
      user: (_: true) => ({
        async transform(context: Incoming) {
          const user = await checks.user(context.request);
          await limit.ofAccount(context, limitedUser(user));
          found.set(context.request, { user: requireSession(user) });
          await readRequestInput(context);
        },
        resolve: ({ request }: { request: Request }) => ({
          user: requireSession(required(found.get(request)?.user)),
        }),
        ...declared("bearer", { user: true }),
      }),
      member: (needed: Needed) => ({
        async transform(context: Incoming) {
          const user = await checks.user(context.request);
          const tenant = await checks.member(user, context.params?.orgId ?? "").catch(async (error: unknown) => {
            // Callers who are not members must not use up the organization's limits.
            await limit.ofAccount(context, limitedUser(user));
            throw error;
          });
          await limit.ofOrganization(context, limitedUser(user), tenant);
          requireScope(user, needed.scopes);
          const { role } = tenant;
          requireRole(role, needed.role);
          found.set(context.request, { user, role, tenant: { ...tenant, signal: context.request.signal } });
          await readRequestInput(context, needed);
        },
        resolve: ({ request }: { request: Request }) => ({
          user: required(found.get(request)?.user),
          tenant: required(found.get(request)?.tenant),
          role: required(found.get(request)?.role),
        }),
        ...declared("bearer", { member: needed.role, scopes: needed.scopes }, needed),
      }),
      alsoChecked: (check: SoundCheck) => ({
        transform({ request, params = {} }: Incoming) {
          const tenant = found.get(request)?.tenant;
          if (tenant) rememberCheck(request, { tenant, params }, check);
        },
      }),
      repeatable: (how: Repeatable) => ({
        resolve: ({ request, route, params, body }: Omit<Incoming, "set">) => ({
          once: keyedRequest(repeating, { request, route, ...(params && { params }), body }, how),
        }),
        detail: { parameters: [IDEMPOTENCY_PARAMETER] },
      }),
      apiKey: (scope: Scope) => ({
        async transform(context: Incoming) {
          const tenant = await checks.apiKey(context.request);
          await limit.ofOrganization(context, `key:${tenant.keyId}`, tenant);
          if (!tenant.scopes.includes(scope)) throw forbidden(`This requires an API key with the scope ${scope}`);
          found.set(context.request, { tenant: { ...tenant, signal: context.request.signal } });
          await readRequestInput(context);
        },
        resolve: ({ request }: { request: Request }) => ({
          tenant: required(found.get(request)?.tenant),
        }),
        ...declared("apiKey", { apiKey: scope }),
      }),
    });

/** Throws 403 for an access token. */
export function requireSession(user: Principal): SignedIn {
  if (user.accessToken === null) return user;
  throw forbidden("Access tokens cannot be used for this; sign in");
}

/** Throws 403. */
export function requireRole(own: Role, needed: Role): void {
  if (!roleAllows(own, needed)) throw forbidden(`This requires the role ${needed}; yours is ${own}`);
}

/** Throws 403 for an access token that has none of these scopes. */
function requireScope(user: Principal, scopes: readonly TokenScope[]): void {
  if (scopes.length === 0) requireSession(user);
  if (user.accessToken === null || scopes.some((scope) => user.accessToken.scopes.includes(scope))) return;
  throw forbidden(`This requires an access token with the scope ${scopes.join(" or ")}`);
}

/** The parameter whose ids are the clients' own, to be taken as they are. */
const FOREIGN_ID = "externalId";

/**
 * Replaces parameters with malformed percent-encoding by the empty text, which names nothing, so that they lead to a
 * 404. Writes ids as the database does: one in capitals is the same id.
 */
function readIds(params: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(params)) {
    params[name] = value !== null && name !== FOREIGN_ID && isUuid(value) ? value.toLowerCase() : (value ?? "");
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("A route was reached without its access check");
  return value;
}
