/** The default app of a domain. Its links use it unless they name an app profile or their path matches one. */
import type { AppConfig, AppConfigInput } from "@/contract/apps";
import type { Domain } from "@/contract/domains";
import { normaliseApp } from "@/core/app-fields";
import { changesOf } from "@/core/changes";
import { isUuid, type Tenant } from "@/core/ids";
import { invalid, notFound } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting, RoutingChanges } from "@/platform/routing-changes";
import { domainTag, presentDomain } from "./present";
import * as store from "./store";

export interface AppConfigOptions {
  clock: Clock;
  changeRouting: ChangeRouting;
}

export type AppConfigService = ReturnType<typeof createAppConfigService>;

export function createAppConfigService({ clock, changeRouting }: AppConfigOptions) {
  return {
    /**
     * Leaves absent fields unchanged and clears fields that are null. The domain need not be verified. Throws 400,
     * 404, and 412 if it was changed since the client read it.
     */
    async update(tenant: Tenant, id: string, input: AppConfigInput, ifMatch?: IfMatch): Promise<Domain> {
      const fields = checkedFields(input);
      return changeRouting(async (tx, changed) => {
        const before = await locked(tx, tenant, id);
        requireMatch(ifMatch, domainTag(before), "domain");
        return presentDomain(await change(tx, changed, tenant, before, fields));
      });
    },
  };

  async function change(
    tx: Db,
    changed: RoutingChanges,
    tenant: Tenant,
    before: store.DomainRow,
    fields: AppConfigInput,
  ): Promise<store.DomainRow> {
    const { orgId } = tenant;
    const appConfig = merged(before.appConfig, fields);
    const changes = changesOf(before.appConfig, appConfig);
    if (Object.keys(changes).length === 0) return before;
    const row = await store.updateDomain(tx, orgId, before.id, { appConfig, updatedAt: new Date(clock()) });
    const entry = { action: "domain.app_config", resourceType: "domain", resourceId: before.id, changes };
    await recordAudit(tx, tenant, entry);
    await changed.organization(orgId);
    return row;
  }
}

/** Throws 404. */
async function locked(tx: Db, { orgId }: Tenant, id: string): Promise<store.DomainRow> {
  await takeLock(tx, orgId, "organization");
  const row = isUuid(id) ? await store.lockDomain(tx, orgId, id) : undefined;
  if (!row) throw notFound("domain");
  return row;
}

function checkedFields(input: AppConfigInput): AppConfigInput {
  const faults: string[] = [];
  const fields = normaliseApp(input, faults);
  if (faults.length > 0) throw invalid(faults);
  return fields;
}

const merged = (before: AppConfig, { name, ios, android, fallback, iconUrl, subtitle }: AppConfigInput): AppConfig => ({
  name: after(before.name, name === undefined ? undefined : name?.trim() || null),
  ios: after(before.ios, ios),
  android: after(before.android, android),
  fallback: after(before.fallback, fallback),
  iconUrl: after(before.iconUrl, iconUrl),
  subtitle: after(before.subtitle, subtitle),
});

const after = <Value>(before: Value | undefined, given: Value | null | undefined): Value | undefined =>
  given === undefined ? before : (given ?? undefined);
