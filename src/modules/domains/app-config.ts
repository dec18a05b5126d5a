/** The default app of a domain. Its links use it unless they name an app profile or their path matches one. */
import type { AppConfig, AppConfigInput } from "@/contract/apps";
import type { Domain } from "@/contract/domains";
import { normaliseApp } from "@/core/app-fields";
import { changesOf } from "@/core/changes";
import { isUuid, type Tenant } from "@/core/ids";
import { invalid, notFound } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting, RoutingChanges } from "@/platform/routing-changes";
import { presentDomain } from "./present";
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
     * 404.
     */
    async update(tenant: Tenant, id: string, input: AppConfigInput): Promise<Domain> {
      const fields = checkedFields(input);
      return presentDomain(await changeRouting((tx, changed) => change(tx, changed, tenant, id, fields)));
    },
  };

  async function change(
    tx: Db,
    changed: RoutingChanges,
    tenant: Tenant,
    id: string,
    fields: AppConfigInput,
  ): Promise<store.DomainRow> {
    const { orgId } = tenant;
    await takeLock(tx, orgId, "organization");
    const before = isUuid(id) ? await store.lockDomain(tx, orgId, id) : undefined;
    if (!before) throw notFound("domain");
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
