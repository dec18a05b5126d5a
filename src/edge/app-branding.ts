/**
 * The name, subtitle and icon of a link's app, for the pages that lead to it. Redirects never need them. `Refreshed`
 * caches them: a page waits at most `WAIT_MS`, then uses the previous values, or none.
 *
 * Bounds: `FACES_MAX` entries of a few hundred bytes; `LOADS_MAX` concurrent loads. A crash loses nothing.
 */
import { and, eq, sql } from "drizzle-orm";
import { VISITOR_ICONS_PATH } from "@/contract/public";
import type { AppTarget } from "@/contract/routing";
import type { Clock } from "@/platform/clock";
import { appProfiles, domains } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { Refreshed } from "@/platform/refreshed";

const FRESH_MS = 60_000;
const WAIT_MS = 300;
const RETRY_MS = 1_000;
const FACES_MAX = 2_000;
const LOADS_MAX = 50;

export interface AppBranding {
  /** Null if the app has no name and goes by its organization's. */
  name: string | null;
  subtitle: string | null;
  /** A path that every host of the service serves; null if there is no icon. */
  iconUrl: string | null;
}

interface FacedApp {
  orgId: string;
  /** `apps/<id>` or `domains/<id>`. */
  face: string;
}

export type LoadAppBranding = (app: FacedApp) => Promise<AppBranding | null>;

/** Never rejects. Resolves to null if nothing is known of the app. */
export type AppBrandingOf = (orgId: string, app: AppTarget | null) => Promise<AppBranding | null>;

/** More loads are in progress than the source accepts at a time. */
class TooManyFaceLoads extends Error {
  override name = "TooManyFaceLoads";
}

export interface FaceCacheOptions {
  load: LoadAppBranding;
  clock: Clock;
  onLoadFailed(error: unknown): void;
}

export class AppBrandingCache {
  readonly #faces: Refreshed<FacedApp, AppBranding | null>;

  constructor({ load, clock, onLoadFailed }: FaceCacheOptions) {
    this.#faces = new Refreshed({
      keyOf: ({ orgId, face }) => `${orgId} ${face}`,
      load,
      clock,
      freshMs: FRESH_MS,
      loadsMax: LOADS_MAX,
      refusal: () => new TooManyFaceLoads(`Already loading ${LOADS_MAX} apps`),
      weightMax: FACES_MAX,
      standIn: { waitMs: WAIT_MS, retryMs: RETRY_MS, onLoadFailed, missing: null },
    });
  }

  readonly of: AppBrandingOf = async (orgId, app) => (app?.face ? this.#faces.of({ orgId, face: app.face }) : null);

  /** Marks the organization's apps as changed; those of all organizations if none is given. */
  outdate(orgId?: string): void {
    this.#faces.markOutdated((known) => orgId === undefined || known.orgId === orgId);
  }
}

export const createAppBrandingSource =
  (db: Db): LoadAppBranding =>
  async ({ orgId, face }) => {
    const [kind, id = ""] = face.split("/");
    const row = kind === "apps" ? await appRow(db, orgId, id) : await domainRow(db, orgId, id);
    if (!row) return null;
    const { name, subtitle, iconUrl } = row;
    return { name, subtitle, iconUrl: iconUrl ? `${VISITOR_ICONS_PATH}/${face}` : null };
  };

interface FaceRow {
  name: string | null;
  subtitle: string | null;
  iconUrl: string | null;
}

async function appRow(db: Db, orgId: string, id: string): Promise<FaceRow | undefined> {
  const { name, subtitle, iconUrl } = appProfiles;
  const own = and(eq(appProfiles.orgId, orgId), eq(appProfiles.id, id));
  return (await db.select({ name, subtitle, iconUrl }).from(appProfiles).where(own).limit(1))[0];
}

async function domainRow(db: Db, orgId: string, id: string): Promise<FaceRow | undefined> {
  const of = (field: string) => sql<string | null>`${domains.appConfig} ->> ${field}::text`;
  const own = and(eq(domains.orgId, orgId), eq(domains.id, id));
  const row = { name: of("name"), subtitle: of("subtitle"), iconUrl: of("iconUrl") };
  return (await db.select(row).from(domains).where(own).limit(1))[0];
}
