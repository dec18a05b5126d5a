/**
 * App profiles: creates, changes and deletes them. They decide where links send phones, so each change is published as
 * one of the whole organization, and every server applies it from the next visit.
 */
import { APPS_MAX, type AppProfile, type AppProfileInput, type AppProfileUpdate } from "@/contract/apps";
import { changesOf } from "@/core/changes";
import { isUuid, type Tenant } from "@/core/ids";
import { archivedPart, conflict, HttpError, notFound } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import { answerOnce } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting, RoutingChanges } from "@/platform/routing-changes";
import { appTag, presentApp, presentAppFields } from "./present";
import * as store from "./store";
import { checkedValues } from "./validate";

export interface AppServiceOptions {
  db: Db;
  clock: Clock;
  changeRouting: ChangeRouting;
}

export type AppService = ReturnType<typeof createAppService>;

const UNSET = { pathPrefix: null, ios: null, android: null, fallback: "store", iconUrl: null, subtitle: null } as const;

export function createAppService({ db, clock, changeRouting }: AppServiceOptions) {
  return {
    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listApps(db, orgId, page, limit);
      return { apps: rows.map(presentApp), ...pagingOf(page, limit, total) };
    },

    /** Throws 404. */
    async get({ orgId }: Tenant, id: string): Promise<AppProfile> {
      const row = isUuid(id) ? await store.findProfile(db, orgId, id) : undefined;
      if (!row) throw notFound("app profile");
      return presentApp(row);
    },

    /** Throws 400 for invalid fields, and 409 if the organization has as many profiles as it may have. */
    async create(tenant: Tenant, input: AppProfileInput, once?: KeyedRequest): Promise<AppProfile> {
      const values = { ...UNSET, name: input.name, ...checkedValues(input) };
      const now = new Date(clock());
      const make = async (tx: Db, changed: RoutingChanges) => {
        // Comes first because it locks the organization's row: nobody else can add a profile between the count and the
        // insert.
        await changed.organization(tenant.orgId);
        if ((await store.countApps(tx, tenant.orgId)) >= APPS_MAX) throw tooManyApps();
        const made = { id: Bun.randomUUIDv7(), createdAt: now, updatedAt: now };
        const row = await store.insertApp(tx, tenant.orgId, { ...made, ...values });
        await recordAudit(tx, tenant, { ...audited("create", row.id), changes: changesOf({}, presentAppFields(row)) });
        return presentApp(row);
      };
      return changeRouting((tx, changed) => answerOnce(tx, tenant.orgId, once, () => make(tx, changed)));
    },

    refusalOf,

    /**
     * Absent fields stay unchanged, null clears. Throws 400, 404, and 412 if it was changed since the client read it.
     */
    async update(tenant: Tenant, id: string, input: AppProfileUpdate, ifMatch?: IfMatch): Promise<AppProfile> {
      const values = checkedValues(input);
      return changeRouting(async (tx, changed) => {
        const before = await existing(tx, tenant, id, "change");
        requireMatch(ifMatch, appTag(before), "app profile");
        const planned = { ...before, ...values };
        const changes = changesOf(presentAppFields(before), presentAppFields(planned));
        if (Object.keys(changes).length === 0) return presentApp(before);
        const after = await store.updateApp(tx, tenant.orgId, before.id, planned, new Date(clock()));
        await recordAudit(tx, tenant, { ...audited("update", before.id), changes });
        await changed.organization(tenant.orgId);
        return presentApp(after);
      });
    },

    /**
     * Throws 404, 412 as `update` does, and 409 while links name the profile, because they would silently lead
     * elsewhere. Links that use it by their path fall back to the next profile or the domain's app.
     */
    async remove(tenant: Tenant, id: string, ifMatch?: IfMatch) {
      return changeRouting(async (tx, changed) => {
        const row = await existing(tx, tenant, id, "delete");
        requireMatch(ifMatch, appTag(row), "app profile");
        const links = await store.countLinksOf(tx, tenant.orgId, row.id);
        if (links.total > 0) throw inUse(links);
        await store.deleteApp(tx, tenant.orgId, row.id);
        await recordAudit(tx, tenant, { ...audited("delete", row.id), changes: changesOf(presentAppFields(row), {}) });
        await changed.organization(tenant.orgId);
        return { _id: row.id, deleted: true as const };
      });
    },
  };
}

/** Returns the error that `create` would throw for these fields, if the organization had so many profiles. */
function refusalOf(input: AppProfileInput, profiles: number): HttpError | undefined {
  try {
    checkedValues(input);
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  return profiles >= APPS_MAX ? tooManyApps() : undefined;
}

async function existing(tx: Db, { orgId }: Tenant, id: string, to: "change" | "delete"): Promise<store.AppRow> {
  const row = isUuid(id) ? await store.lockApp(tx, orgId, id, to) : undefined;
  if (!row) throw notFound("app profile");
  return row;
}

const audited = (verb: string, resourceId: string) => ({ action: `app.${verb}`, resourceType: "app", resourceId });

const tooManyApps = () =>
  conflict(`This organization has reached its limit of ${APPS_MAX} app profiles; delete one to create another`);

const inUse = ({ total, archived }: Awaited<ReturnType<typeof store.countLinksOf>>) =>
  conflict("Links use this app profile; give them another one, or none, before you delete it", [
    `appId: ${total} ${total === 1 ? "link uses" : "links use"} it${archivedPart(total, archived)}`,
  ]);
