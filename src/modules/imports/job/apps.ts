/**
 * Finds or creates app profiles for links that named an app at their service: one for each distinct app. An existing
 * profile is reused. Campaign names are part of a profile, so they could cause many: an import creates at most
 * `CAMPAIGN_APPS_MAX` profiles with a campaign name. Links of our own files name a profile instead: it is found by its
 * id or else its name, and never created.
 */
import type { AppProfile, AppProfileInput } from "@/contract/apps";
import type { Tenant } from "@/core/ids";
import type { DroppedField, NamedProfile, OldApp } from "@/core/imports/old-link";
import { unfitFaults } from "@/http/body/unfit";
import { HttpError } from "@/http/errors";
import type { ImportJob } from "../store";

const CAMPAIGN_APPS_MAX = 50;
const PAGE = 100;

export interface ImportedApps {
  list(tenant: Tenant, page: number, limit: number): Promise<{ apps: AppProfile[] }>;
  create(tenant: Tenant, input: AppProfileInput): Promise<AppProfile>;
  /** Returns the error that `create` would throw, if the organization had so many profiles. */
  refusalOf(input: AppProfileInput, profiles: number): HttpError | undefined;
}

/** Both return the id of a profile, or undefined and say why in `dropped`. */
export interface AppFinder {
  /** Creates the profile if there is none. */
  appOf(app: OldApp, dropped: DroppedField[]): Promise<string | undefined>;
  profileNamed(profile: NamedProfile, dropped: DroppedField[]): string | undefined;
}

/**
 * Creates profiles as they are needed; those that the import created in earlier turns count as well. A dry run creates
 * none and returns no ids, but foresees which would be refused.
 */
export async function importedApps(
  apps: ImportedApps,
  tenant: Tenant,
  { createdAt, options: { dryRun: isDry } }: Pick<ImportJob, "createdAt" | "options">,
): Promise<AppFinder> {
  const known = new Map<string, Promise<string | HttpError>>();
  const there: NamedProfile[] = [];
  let [profiles, campaigns] = [0, 0];
  for await (const profile of allApps(apps, tenant)) {
    const app = { ios: profile.ios ?? undefined, android: profile.android ?? undefined };
    known.set(keyOf(app), Promise.resolve(profile._id));
    there.push({ id: profile._id, name: profile.name });
    const isOurs = Date.parse(profile.createdAt) >= createdAt.getTime() && profile.name === nameOf(app);
    if (isOurs && app.ios?.campaignName !== undefined) campaigns++;
    profiles++;
  }

  const profileOf = (app: OldApp): Promise<string | HttpError> => {
    const key = keyOf(app);
    const found = known.get(key) ?? (isDry ? foreseen(app) : made(app));
    known.set(key, found);
    return found;
  };
  const foreseen = async (app: OldApp): Promise<string | HttpError> => {
    const refusal = apps.refusalOf(inputOf(app), profiles);
    if (!refusal) profiles++;
    return refusal ?? "";
  };
  const made = (app: OldApp) =>
    apps.create(tenant, inputOf(app)).then(
      ({ _id }) => _id,
      (error: unknown) => {
        if (error instanceof HttpError && error.status < 500) return error;
        throw error;
      },
    );

  return { appOf, profileNamed: namedAmong(there) };

  async function appOf(app: OldApp, dropped: DroppedField[]): Promise<string | undefined> {
    const faults = unfitFaults(app);
    if (faults.length > 0) {
      dropped.push({ field: "app", why: faults.join("; ") });
      return undefined;
    }
    const hasCampaign = app.ios?.campaignName !== undefined;
    const isNew = hasCampaign && !known.has(keyOf(app));
    const wanted = isNew && campaigns >= CAMPAIGN_APPS_MAX ? withoutCampaign(app, dropped) : app;
    if (isNew) campaigns++;
    const profile = await profileOf(wanted);
    if (!(profile instanceof HttpError)) return profile || undefined;
    dropped.push({ field: "app", why: (profile.details ?? [profile.message]).join("; ") });
    return undefined;
  }
}

/** Returns a function that finds the profile that a link names. */
const namedAmong =
  (there: readonly NamedProfile[]): AppFinder["profileNamed"] =>
  ({ id, name }, dropped) => {
    if (id === undefined && name === undefined) return undefined;
    const own = there.find((profile) => profile.id === id?.toLowerCase());
    const found = own ? [own] : there.filter((profile) => profile.name === name);
    if (found.length === 1) return found[0]?.id;
    const many = found.length === 0 ? "no app profile is" : `${found.length} app profiles are`;
    dropped.push({ field: "appProfileId", why: `${many} named ${name ?? id} here` });
    return undefined;
  };

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

/** Returns the same key for the same app, in whatever order its fields are. */
const keyOf = ({ ios = {}, android = {} }: OldApp): string => JSON.stringify([sorted(ios), sorted(android)]);

const sorted = (fields: object) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

const inputOf = (app: OldApp): AppProfileInput => ({ name: nameOf(app), ios: app.ios, android: app.android });

const nameOf = ({ ios, android }: OldApp): string =>
  `${ios?.bundleId ?? android?.packageName ?? `App Store ${ios?.appStoreId ?? ""}`} (imported)`.slice(0, 120);
