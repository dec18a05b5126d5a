import { Elysia } from "elysia";
import type { Role } from "@/contract/accounts/access";
import {
  ACCESS_TOKENS_MAX,
  AccessTokenCreated,
  AccessTokenInput,
  AccessTokenPage,
  AccessTokenQuery,
} from "@/contract/accounts/access-tokens";
import { Deleted } from "@/contract/schema";
import { roleAllows, type Tenant } from "@/core/ids";
import { type Guard, requireSession } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { AccessTokens } from "./service";
import type { TokenOwners } from "./store";

/**
 * Access tokens cannot create, list or revoke access tokens: otherwise someone holding one could outlast its expiry.
 */
const withSession = { role: "viewer", scopes: [] } as const;

export const accessTokenRoutes = (tokens: AccessTokens, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/access-tokens", tags: ["Access tokens"] })
    .use(guard)
    .get(
      "",
      ({ tenant, role, query: { page = 1, limit = PAGE_LIMIT, mine } }) =>
        tokens.list(mine ? ownOf(tenant) : withinReach(tenant, role), page, limit),
      {
        member: withSession,
        query: AccessTokenQuery,
        response: { 200: AccessTokenPage, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "listAccessTokens",
          summary: "List access tokens",
          description:
            "Newest first: your own, and for admins those of all members. Only the first characters of each token are " +
            "shown.",
        },
      },
    )
    .post(
      "",
      async ({ tenant, user, body, once, status }) =>
        status(201, await tokens.create(tenant, requireSession(user), body, once)),
      {
        member: withSession,
        repeatable: "sealed",
        body: AccessTokenInput,
        alsoChecked: soundInput(tokens),
        response: { 201: AccessTokenCreated, ...failures(400, 401, 403, 404, 409, 413, 415) },
        detail: {
          operationId: "createAccessToken",
          summary: "Create an access token",
          description:
            "For scripts and tools that act for you in this organization: `Authorization: Bearer <token>`. The response " +
            "contains the token. It is shown only this once: the service keeps only its hash. Your role limits it on " +
            "every request, and it ends when your membership does, when your password is reset, and when two-factor is " +
            `enabled or disabled. You can have ${ACCESS_TOKENS_MAX} active tokens in an organization. Where single ` +
            "sign-on is enforced, tokens created without it stop working for everyone except owners.",
        },
      },
    )
    .delete(
      "/:tokenId",
      ({ tenant, role, params }) => tokens.revoke(tenant, withinReach(tenant, role), params.tokenId),
      {
        member: withSession,
        response: { 200: Deleted, ...failures(401, 403, 404) },
        detail: {
          operationId: "revokeAccessToken",
          summary: "Revoke an access token",
          description:
            "Your own, or as an admin any member's. Requests with the token are refused immediately, and its live streams " +
            "end.",
        },
      },
    );

const soundInput = (tokens: AccessTokens) => onValidFields(AccessTokenInput, (_, sound) => tokens.check(sound));

const ownOf = ({ orgId, actor }: Tenant): TokenOwners => ({ orgId, userId: actor.id ?? "" });

/** Admins manage every token of their organization; other members manage their own. */
const withinReach = (tenant: Tenant, role: Role): TokenOwners =>
  roleAllows(role, "admin") ? { orgId: tenant.orgId } : ownOf(tenant);
