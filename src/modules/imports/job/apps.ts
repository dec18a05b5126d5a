/**
 * App profiles for links that named an app at their service: one for each distinct app. One that is there already is taken.
 * Campaign names are part of a profile, so that they may make many: those get no more than `CAMPAIGN_APPS_MAX`.
 */
import type { AppProfile, AppProfileInput } from "@/contract/apps";
import type { Tenant } from "@/core/ids";
import type { DroppedField, OldApp } from "@/core/imports/old-link";
import { HttpError } from "@/http/errors";

const CAMPAIGN_APPS_MAX = 50;
const PAGE = 100;

export interface ImportedApps {
  list(tenant: Tenant, page: number, limit: number): Promise<{ apps: AppProfile[] }>;
  create(tenant: Tenant, input: AppProfileInput): Promise<AppProfile>;
}

export type AppOf = (app: OldApp, dropped: DroppedField[]) => Promise<string | undefined>;

/** Makes profiles as they are needed; of a dry run none, and no ids. */
export async function importedApps(apps: ImportedApps, tenant: Tenant, isDry: boolean): Promise<AppOf> {
  const known = new Map<string, Promise<string | HttpError>>();
  for await (const { _id, ios = null, android = null } of allApps(apps, tenant))
    known.set(keyOf({ ios: ios ?? undefined, android: android ?? undefined }), Promise.resolve(_id));
  let campaigns = 0;

  const profileOf = (app: OldApp): Promise<string | HttpError> => {
    const key = keyOf(app);
    const found = known.get(key) ?? (isDry ? Promise.resolve("") : made(app));
    known.set(key, found);
    return found;
  };
  const made = (app: OldApp) =>
    apps.create(tenant, { name: nameOf(app), ios: app.ios, android: app.android }).then(
      ({ _id }) => _id,
      (error: unknown) => {
        if (error instanceof HttpError && error.status < 500) return error;
        throw error;
      },
    );

  return async (app, dropped) => {
    const hasCampaign = app.ios?.campaignName !== undefined;
    const isNew = hasCampaign && !known.has(keyOf(app));
    const wanted = isNew && campaigns >= CAMPAIGN_APPS_MAX ? withoutCampaign(app, dropped) : app;
    if (isNew) campaigns++;
    const profile = await profileOf(wanted);
    if (!(profile instanceof HttpError)) return profile || undefined;
    dropped.push({ field: "app", why: (profile.details ?? [profile.message]).join("; ") });
    return undefined;
  };
}

async function* allApps(apps: ImportedApps, tenant: Tenant): AsyncGenerator<AppProfile> {
  for (let page = 1; ; page++) {
    const found = (await apps.list(tenant, page, PAGE)).apps;
    yield* found;
    if (found.length < PAGE) return;
  }
}

function withoutCampaign(app: OldApp, dropped: DroppedField[]): OldApp {
  dropped.push({ field: "ct", why: `imports create at most ${CAMPAIGN_APPS_MAX} app profiles for campaign names` });
  const { campaignName: _, ...ios } = app.ios ?? {};
  return { ...app, ios };
}

/** The same app, whatever the order of its fields. */
const keyOf = ({ ios = {}, android = {} }: OldApp): string => JSON.stringify([sorted(ios), sorted(android)]);

const sorted = (fields: object) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

const nameOf = ({ ios, android }: OldApp): string =>
  `${ios?.bundleId ?? android?.packageName ?? `App Store ${ios?.appStoreId ?? ""}`} (imported)`.slice(0, 120);
