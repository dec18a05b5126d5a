/**
 * Who may call a route, declared on the route: `public: true`, `user: true`, `member: "<least role>"` or
 * `apiKey: "<scope>"`. Each runs in `transform`, before the body is read and validated, and then reads the body; `resolve`
 * hands over the principal. `member` and `apiKey` are the only makers of an `OrgId` from a request, so that a route can
 * reach an organization's data in no other way.
 */
import { Elysia } from "elysia";
import type { Role, Scope } from "@/contract/access";
import type { Actor, Tenant } from "@/core/ids";
import { BODY_BYTES_MAX, readJsonBody } from "./body";
import type { Access } from "./document/types";
import { checkQueryText } from "./query";

export interface SignedIn {
  userId: string;
  sessionId: string;
  token: string;
  actor: Actor;
}

/** What the access checks ask of the rest; the modules that own sessions, memberships and keys answer. */
export interface AccessChecks {
  /** Throws 401. */
  signedIn(request: Request): Promise<SignedIn>;
  /** Throws 404 for an organization the user is no member of, 403 for a role that does not allow it. */
  member(user: SignedIn, orgId: string, needed: Role): Promise<Tenant & { role: Role }>;
  /** Throws 401, or 403 for a key without the scope. */
  apiKey(request: Request, scope: Scope): Promise<Tenant>;
}

/** What the checks of one request have found, until `resolve` hands it over. */
interface Found {
  user?: SignedIn;
  tenant?: Tenant;
}

interface Incoming {
  request: Request;
  params: Record<string, string>;
  body: unknown;
}

const found = new WeakMap<Request, Found>();

/** What the OpenAPI document and the test that every route is guarded learn of a route's access. */
const declared = (scheme: "bearer" | "apiKey" | null, access: Access) => ({
  detail: { security: scheme ? [{ [scheme]: [] }] : [], "x-access": access },
});

/** Looks at query and body only now: who may not call learns nothing of what is wrong with them. */
async function takeInput(context: Incoming): Promise<void> {
  checkQueryText(context.request.url);
  if (context.request.method === "GET" || context.request.method === "HEAD") return;
  context.body = await readJsonBody(context.request, BODY_BYTES_MAX);
}

export const access = (checks: AccessChecks) =>
  new Elysia({ name: "access" })
    // The body is read by the access check: this keeps Elysia's own parsers from reading it first.
    .onParse({ as: "global" }, () => null)
    .macro({
      public: (_: true) => ({
        transform: (context: Incoming) => takeInput(context),
        ...declared(null, { public: true }),
      }),
      user: (_: true) => ({
        async transform(context: Incoming) {
          found.set(context.request, {
            user: await checks.signedIn(context.request),
          });
          await takeInput(context);
        },
        resolve: ({ request }: { request: Request }) => ({
          user: required(found.get(request)?.user),
        }),
        ...declared("bearer", { user: true }),
      }),
      member: (needed: Role) => ({
        async transform(context: Incoming) {
          const user = await checks.signedIn(context.request);
          const tenant = await checks.member(user, context.params.orgId ?? "", needed);
          found.set(context.request, { user, tenant });
          await takeInput(context);
        },
        resolve: ({ request }: { request: Request }) => ({
          user: required(found.get(request)?.user),
          tenant: required(found.get(request)?.tenant),
        }),
        ...declared("bearer", { member: needed }),
      }),
      apiKey: (scope: Scope) => ({
        async transform(context: Incoming) {
          found.set(context.request, {
            tenant: await checks.apiKey(context.request, scope),
          });
          await takeInput(context);
        },
        resolve: ({ request }: { request: Request }) => ({
          tenant: required(found.get(request)?.tenant),
        }),
        ...declared("apiKey", { apiKey: scope }),
      }),
    });

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("A route was reached without its access check");
  return value;
}
