/** API keys: created, listed and revoked by admins; checked on the operations that take an API key. */
import { SCOPES } from "@/contract/accounts/access";
import type { ApiKey, ApiKeyInput } from "@/contract/accounts/api-keys";
import { changesOf } from "@/core/changes";
import { isUuid, type Tenant } from "@/core/ids";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import type { KeyHolder } from "@/http/access";
import type { Caller } from "@/http/caller";
import { invalid, notFound, unauthenticated } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import { transactOnce } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { hashKey, keyText } from "@/platform/passwords/key-text";
import type { Log } from "@/platform/telemetry/log";
import * as store from "./store";

const USE_NOTED_EVERY_MS = 60_000;
const KEYS = keyText("wm_live_");

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

export interface ApiKeyOptions {
  db: Db;
  clock: Clock;
  log: Log;
  plans: Pick<Plans, "requireRoom">;
}

export function createApiKeyService({ db, clock, log, plans }: ApiKeyOptions) {
  return {
    /** Throws 400 with every fault in the fields that are present. */
    check: (input: Partial<ApiKeyInput>) => checkedFields(input, clock()),

    /** Throws 400 for invalid fields, 429 if the plan has no room for another key. */
    async create(tenant: Tenant, input: ApiKeyInput, once?: KeyedRequest): Promise<ApiKey & { key: string }> {
      const values = checkedFields(input, clock());
      const key = KEYS.make();
      return transactOnce(db, tenant.orgId, once, async (tx) => {
        await plans.requireRoom(tx, tenant.orgId, "apiKeys");
        const inserted = await store.insertApiKey(tx, {
          id: Bun.randomUUIDv7(),
          orgId: tenant.orgId,
          ...values,
          prefix: KEYS.shownPrefix(key),
          hash: hashKey(key),
          scopes: input.scopes,
          createdBy: tenant.actor.id,
        });
        await recordAudit(tx, tenant, {
          ...audited("create", inserted.id),
          changes: changesOf({}, auditedFields(inserted)),
        });
        return { ...present(inserted), key };
      });
    },

    async list(tenant: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listApiKeys(db, tenant.orgId, page, limit);
      return { apiKeys: rows.map(present), ...pagingOf(page, limit, total) };
    },

    /** Throws 404 if the key is unknown, another organization's or already revoked. */
    async revoke(tenant: Tenant, id: string) {
      await db.transaction(async (tx) => {
        const row = isUuid(id) ? await store.revokeApiKey(tx, tenant.orgId, id, new Date(clock())) : undefined;
        if (!row) throw notFound("API key");
        await recordAudit(tx, tenant, { ...audited("revoke", id), changes: changesOf(auditedFields(row), {}) });
      });
      return { _id: id, deleted: true as const };
    },

    /** Returns the organization and scopes of a key. Throws 401. */
    async authenticate(key: string, { ip, userAgent }: Caller): Promise<KeyHolder> {
      const row = KEYS.isWellFormed(key) ? await store.findApiKey(db, hashKey(key)) : undefined;
      const now = clock();
      if (!row || row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) throw unauthenticated();
      noteUse(row, now);
      const actor = { type: "apiKey" as const, id: row.id, email: null, ip, userAgent };
      return { orgId: row.orgId, actor, keyId: row.id, scopes: row.scopes, plan: row.plan };
    },
  };

  /** Records the use beside the request, at most once a minute per key: the time is not worth waiting for. */
  function noteUse(row: store.ApiKeyRow, now: number): void {
    if (row.lastUsedAt && now - row.lastUsedAt.getTime() < USE_NOTED_EVERY_MS) return;
    store.touchApiKey(db, row.id, new Date(now)).catch((error) => log.warn("could not record API key use", { error }));
  }
}

/** The fields of a key that go into the audit log; never the key itself. */
const auditedFields = ({ name, prefix, scopes, expiresAt }: store.ApiKeyRow) => ({ name, prefix, scopes, expiresAt });

const audited = (verb: string, resourceId: string) => ({
  action: `api_key.${verb}`,
  resourceType: "api_key",
  resourceId,
});

function checkedFields(
  { name, expiresAt }: Partial<ApiKeyInput>,
  now: number,
): { name: string; expiresAt: Date | null } {
  const end = expiresAt === undefined || expiresAt === null ? null : parseInstant(expiresAt);
  const faults = [
    ...(name?.trim() === "" ? ["name: must not be blank"] : []),
    ...(end === undefined ? [`expiresAt: ${NO_INSTANT}`] : []),
    ...(typeof end === "number" && end <= now ? ["expiresAt: must be in the future"] : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  return { name: name?.trim() ?? "", expiresAt: typeof end === "number" ? new Date(end) : null };
}

const present = (row: store.ApiKeyRow): ApiKey => ({
  _id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString(),
  revokedAt: row.revokedAt?.toISOString(),
});
