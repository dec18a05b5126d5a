/**
 * Access tokens. A member creates them for themselves, with a session, for one organization. Until it ends, a token
 * reaches what its scopes and the member's role both allow. The token's user, their role and whether they may do
 * without single sign-on are read on every request, as for sessions. A token counts as signed in the same way as the
 * session that created it: one created without single sign-on reaches nothing that requires it.
 *
 * Bounds: a member has at most `ACCESS_TOKENS_MAX` active tokens, none valid for more than `ACCESS_TOKEN_DAYS_MAX`
 * days.
 */
import { TOKEN_SCOPES } from "@/contract/accounts/access";
import {
  ACCESS_TOKEN_DAYS,
  ACCESS_TOKEN_DAYS_MAX,
  ACCESS_TOKENS_MAX,
  type AccessToken,
  type AccessTokenCreated,
  type AccessTokenInput,
} from "@/contract/accounts/access-tokens";
import { changesOf } from "@/core/changes";
import { isUuid, type Tenant } from "@/core/ids";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { DAY_MS } from "@/core/time/time-range";
import type { SignedIn, TokenHolder } from "@/http/access";
import type { Caller } from "@/http/caller";
import { conflict, invalid, notFound, unauthenticated } from "@/http/errors";
import { type KeyedRequest, keyedBy } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import { transactOnce } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import { hashKey, keyText } from "@/platform/passwords/key-text";
import type { CredentialUse } from "../credential-use";
import { actorOf } from "../present";
import * as store from "./store";

export interface AccessTokenOptions {
  db: Db;
  clock: Clock;
  use: CredentialUse;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

const TOKENS = keyText("wm_pat_");

export const isAccessToken = TOKENS.hasPrefix;

export function createAccessTokens({ db, clock, use }: AccessTokenOptions) {
  return {
    /** Throws 400 with every fault in the fields that are present. */
    check: (input: Partial<AccessTokenInput>) => checkedFields(input, clock()),

    /**
     * Throws 400 for invalid fields, 401 if the session has just ended, 404 if the membership has, 409 if the member
     * already has `ACCESS_TOKENS_MAX` active tokens.
     */
    async create(tenant: Tenant, session: SignedIn, input: AccessTokenInput, once?: KeyedRequest) {
      const { orgId } = tenant;
      const now = new Date(clock());
      const values = checkedFields(input, now.getTime());
      const token = TOKENS.make();
      return transactOnce(db, orgId, keyedBy(session.actor, once), async (tx): Promise<AccessTokenCreated> => {
        await takeLock(tx, orgId, "organization");
        if (!(await store.lockActiveSession(tx, session.sessionId, now))) throw unauthenticated();
        const membershipId = await store.findMembershipId(tx, orgId, session.userId);
        if (!membershipId) throw notFound("organization");
        if ((await store.countInForce(tx, membershipId, now)) >= ACCESS_TOKENS_MAX) throw hasTooMany();
        const inserted = await store.insertAccessToken(tx, {
          ...{ id: Bun.randomUUIDv7(), orgId, membershipId, isMadeBySso: session.ssoOrgId !== null },
          ...{ prefix: TOKENS.shownPrefix(token), hash: hashKey(token), scopes: input.scopes, createdAt: now },
          ...values,
        });
        await recordAudit(tx, tenant, {
          ...audited("create", inserted.id),
          changes: changesOf({}, auditedFields(inserted)),
        });
        return { ...present({ ...inserted, userId: session.userId }), token };
      });
    },

    async list(owners: store.TokenOwners, page: number, limit: number) {
      const { rows, total } = await store.listAccessTokens(db, owners, page, limit);
      return { accessTokens: rows.map(present), ...pagingOf(page, limit, total) };
    },

    /** Throws 404 if the token is unknown, belongs to none of these owners or is already revoked. */
    async revoke(tenant: Tenant, owners: store.TokenOwners, id: string) {
      await db.transaction(async (tx) => {
        const row = isUuid(id) ? await store.revokeAccessToken(tx, owners, id, new Date(clock())) : undefined;
        if (!row) throw notFound("access token");
        await recordAudit(tx, tenant, { ...audited("revoke", id), changes: changesOf(auditedFields(row), {}) });
      });
      return { _id: id, deleted: true as const };
    },

    /** Returns the user an access token acts for. Throws 401. */
    async authenticate(text: string, caller: Caller): Promise<TokenHolder> {
      const isPossible = TOKENS.isWellFormed(text);
      const found = isPossible ? await store.findAccessToken(db, hashKey(text), new Date(clock())) : undefined;
      if (!found) throw unauthenticated();
      const { token, user } = found;
      use.note(token);
      return {
        userId: user.id,
        ssoOrgId: store.vouchingOrg(token),
        accessToken: { id: token.id, orgId: token.orgId, scopes: token.scopes },
        actor: { ...actorOf(user, caller), accessToken: { id: token.id, name: token.name } },
        signal: caller.signal,
      };
    },
  };
}

function checkedFields({ name, expiresAt }: Partial<AccessTokenInput>, now: number): { name: string; expiresAt: Date } {
  const end = expiresAt === undefined ? now + ACCESS_TOKEN_DAYS * DAY_MS : parseInstant(expiresAt);
  const endFault = faultOfEnd(end, now);
  const faults = [
    ...(name?.trim() === "" ? ["name: must not be blank"] : []),
    ...(endFault ? [`expiresAt: ${endFault}`] : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  return { name: name?.trim() ?? "", expiresAt: new Date(end ?? now) };
}

function faultOfEnd(end: number | undefined, now: number): string | undefined {
  if (end === undefined) return NO_INSTANT;
  if (end <= now) return "must be in the future";
  return end > now + ACCESS_TOKEN_DAYS_MAX * DAY_MS ? `must be at most ${ACCESS_TOKEN_DAYS_MAX} days ahead` : undefined;
}

/** The fields of a token that go into the audit log; never the token itself. */
const auditedFields = ({ name, prefix, scopes, expiresAt }: store.AccessTokenRow) => ({
  name,
  prefix,
  scopes,
  expiresAt,
});

const audited = (verb: string, resourceId: string) => ({
  action: `access_token.${verb}`,
  resourceType: "access_token",
  resourceId,
});

const hasTooMany = () =>
  conflict(`You have reached the limit of ${ACCESS_TOKENS_MAX} access tokens; revoke one to create another`);

const present = (row: store.OwnedTokenRow): AccessToken => ({
  _id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: TOKEN_SCOPES.filter((scope) => row.scopes.includes(scope)),
  membershipId: row.membershipId,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString(),
  revokedAt: row.revokedAt?.toISOString(),
});
