/**
 * An organization's branding on the pages its visitors see. Redirects never need it. `Refreshed` caches it: a page
 * waits at most `WAIT_MS`, then uses the previous branding, or none.
 *
 * Bounds: `ORGANIZATIONS_MAX` entries of a few kilobytes; `LOADS_MAX` concurrent loads. A crash loses nothing.
 */
import { eq } from "drizzle-orm";
import { type Accented, pagePalette, type Shade } from "@/core/pages/page-palette";
import type { Clock } from "@/platform/clock";
import { organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { Refreshed } from "@/platform/refreshed";

const FRESH_MS = 60_000;
const WAIT_MS = 300;
const RETRY_MS = 1_000;
const ORGANIZATIONS_MAX = 2_000;
const LOADS_MAX = 50;

export interface Brand {
  orgId: string;
  name: string;
  hasLogo: boolean;
  /** The page's colors derived from the organization's accent color; null if it has none. */
  accent: Record<Shade, Accented> | null;
  supportUrl: string | null;
  footerText: string | null;
}

export type LoadBrand = (orgId: string) => Promise<Brand | null>;

/** Never rejects. Resolves to null if the page is to come plain. */
export type BrandOf = (orgId: string) => Promise<Brand | null>;

export interface BrandCacheOptions {
  load: LoadBrand;
  clock: Clock;
  onLoadFailed(error: unknown): void;
}

/** More loads are in progress than the source accepts at a time. */
class TooManyBrandLoads extends Error {
  override name = "TooManyBrandLoads";
}

export class BrandCache {
  readonly #brands: Refreshed<string, Brand | null>;

  constructor({ load, clock, onLoadFailed }: BrandCacheOptions) {
    this.#brands = new Refreshed({
      keyOf: (orgId) => orgId,
      load,
      clock,
      freshMs: FRESH_MS,
      loadsMax: LOADS_MAX,
      refusal: () => new TooManyBrandLoads(`Already loading the branding of ${LOADS_MAX} organizations`),
      weightMax: ORGANIZATIONS_MAX,
      standIn: { waitMs: WAIT_MS, retryMs: RETRY_MS, onLoadFailed, missing: null },
    });
  }

  readonly of: BrandOf = (orgId) => this.#brands.of(orgId);

  /** Marks the organization as changed; all of them if none is given. */
  outdate(orgId?: string): void {
    this.#brands.markOutdated((known) => orgId === undefined || known === orgId);
  }
}

export const createBrandSource =
  (db: Db): LoadBrand =>
  async (orgId) => {
    const { name, branding } = organizations;
    const [row] = await db.select({ name, branding }).from(organizations).where(eq(organizations.id, orgId)).limit(1);
    if (!row) return null;
    const { displayName, logoUrl, accentColor, supportUrl, footerText } = row.branding;
    return {
      orgId,
      name: displayName ?? row.name,
      hasLogo: Boolean(logoUrl),
      accent: accentColor ? pagePalette(accentColor) : null,
      supportUrl: supportUrl ?? null,
      footerText: footerText ?? null,
    };
  };
