/**
 * Who may call a route, declared on the route: `public: true`, `page: true` (public as well, for people's browsers: its form
 * is the page's own to read), `operator: true`, `user: true`, `member: { role: "<least role>", scopes: [...] }`
 * or `apiKey: "<scope>"`. Each runs in `transform`, before the body is read and validated: it finds the principal, counts the
 * request against their limits, asks for the role or scope and then reads the body; `resolve` hands over the principal.
 * `member` and `apiKey` are the only makers of an `OrgId` from a request, so that a route can reach an organization's data
 * in no other way.
 *
 * A user calls with a session or with an access token. A token reaches what belongs to its organization and names one of
 * the token's scopes, so every `member` route has to name them: none, where no token may ever call. It never reaches `user`
 * routes, which are about the account.
 */
import { Elysia } from "elysia";
import type { Role, Scope, TokenScope } from "@/contract/accounts/access";
import type { Plan } from "@/contract/accounts/plans";
import { type Actor, roleAllows, type Tenant } from "@/core/ids";
import { refuseUnfitText, rememberCheck, rememberUnfitText, type SoundCheck } from "./beside";
import { type BodyRules, readJsonBody } from "./body";
import { type Access, OPTIONAL_BODY } from "./document/types";
import { forbidden, unauthenticated } from "./errors";
import { checkQueryText } from "./query";
import { limitedUser, type RateLimit } from "./rate-limit";

interface UserCaller {
  userId: string;
  /** The organization whose identity provider vouched for the user; null if they signed in with their own credentials. */
  ssoOrgId: string | null;
  actor: Actor;
  /** Aborts when the client hangs up. */
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

/** The id of the session or access token that the request was made with. */
export const credentialOf = (user: Principal): string =>
  user.accessToken === null ? user.sessionId : user.accessToken.id;

/** What the access checks ask of the rest; the modules that own sessions, memberships and keys answer. */
export interface AccessChecks {
  /** Throws 401. */
  user(request: Request): Promise<Principal>;
  /** Throws 404 for an organization that the user is no member of, or that the access token is not for. */
  member(user: Principal, orgId: string): Promise<Membership>;
  /** Throws 401. */
  apiKey(request: Request): Promise<KeyHolder>;
  /** Whether the machine itself or an operator's token asks. */
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

/** What the checks of one request have found, until `resolve` hands it over. */
interface Found {
  user?: Principal;
  tenant?: Tenant;
  role?: Role;
}

/** With it how the route's bodies are read, where that differs from others'. */
interface Needed extends BodyRules {
  /** The least role. */
  role: Role;
  /** An access token needs one of these; where there are none, it takes a session. */
  scopes: readonly TokenScope[];
}

interface Incoming {
  request: Request;
  /** This is the route's pattern. */
  route: string;
  /** A value is null where its escapes are malformed; routes without parameters have none. */
  params?: Record<string, string | null>;
  body: unknown;
  set: { headers: Record<string, string | number> };
}

const found = new WeakMap<Request, Found>();

const OPERATORS_ONLY = "Call this from the machine itself, or send the operator's token";

/** What the OpenAPI document and the test that every route is guarded learn of a route's access. */
const declared = (
  scheme: "bearer" | "apiKey" | "operator" | null,
  access: Access,
  { isOptional = false }: BodyRules = {},
) => ({
  detail: {
    security: [
      ...(scheme ? [{ [scheme]: [] }] : []),
      // Its scopes are told in the description: role names of this scheme are of OpenAPI 3.1, but few tools take them.
      ...(access.scopes?.length ? [{ accessToken: [] }] : []),
    ],
    "x-access": access,
    ...(isOptional && { [OPTIONAL_BODY]: true }),
  },
});

/** Looks at query and body only now: who may not call learns nothing of what is wrong with them. */
async function takeInput(context: Incoming, rules: BodyRules = {}): Promise<void> {
  nameNothing(context.params ?? {});
  checkQueryText(context.request.url);
  if (context.request.method === "GET" || context.request.method === "HEAD" || rules.isUpload) return;
  const { value, faults } = await readJsonBody(context.request, rules);
  rememberUnfitText(context.request, faults);
  context.body = value;
}

/** What a module's routes stand behind. */
export type Guard = ReturnType<typeof access>;

export const access = (checks: AccessChecks, limit: RateLimit) =>
  new Elysia({ name: "access" })
    // The body is read by the access check: this keeps Elysia's own parsers from reading it first.
    .onParse({ as: "global" }, () => null)
    .onBeforeHandle({ as: "global" }, ({ request, body }) => refuseUnfitText(request, body))
    .macro({
      public: (_: true) => ({
        transform: (context: Incoming) => takeInput(context),
        ...declared(null, { public: true }),
      }),
      operator: (_: true) => ({
        transform(context: Incoming) {
          if (!checks.isOperator(context.request)) throw unauthenticated(OPERATORS_ONLY);
          return takeInput(context);
        },
        ...declared("operator", { operator: true }),
      }),
      page: (_: true) => declared(null, { public: true }),
      user: (_: true) => ({
        async transform(context: Incoming) {
          const user = await checks.user(context.request);
          await limit.ofAccount(context, limitedUser(user));
          found.set(context.request, { user: requireSession(user) });
          await takeInput(context);
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
            // Whoever does not reach the organization uses up nothing of it.
            await limit.ofAccount(context, limitedUser(user));
            throw error;
          });
          await limit.ofOrganization(context, limitedUser(user), tenant);
          requireScope(user, needed.scopes);
          const { role } = tenant;
          if (!roleAllows(role, needed.role))
            throw forbidden(`This requires the role ${needed.role}; yours is ${role}`);
          found.set(context.request, { user, role, tenant: { ...tenant, signal: context.request.signal } });
          await takeInput(context, needed);
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
      apiKey: (scope: Scope) => ({
        async transform(context: Incoming) {
          const tenant = await checks.apiKey(context.request);
          await limit.ofOrganization(context, `key:${tenant.keyId}`, tenant);
          if (!tenant.scopes.includes(scope)) throw forbidden(`This requires an API key with the scope ${scope}`);
          found.set(context.request, { tenant: { ...tenant, signal: context.request.signal } });
          await takeInput(context);
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

/** Throws 403 for an access token that has none of these scopes. */
function requireScope(user: Principal, scopes: readonly TokenScope[]): void {
  if (scopes.length === 0) requireSession(user);
  if (user.accessToken === null || scopes.some((scope) => user.accessToken.scopes.includes(scope))) return;
  throw forbidden(`This requires an access token with the scope ${scopes.join(" or ")}`);
}

/** A parameter whose escapes stand for no text is the name of nothing, as any other that nothing has. */
function nameNothing(params: Record<string, string | null>): void {
  for (const name of Object.keys(params)) params[name] ??= "";
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("A route was reached without its access check");
  return value;
}
