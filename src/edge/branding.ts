/**
 * How an organization looks on the pages its visitors see. Pages ask for it, redirects never do.
 *
 * States of an organization's look: absent → loading → current → outdated (it has changed, or `FRESH_MS` are past) →
 * loading. A page waits `WAIT_MS` for it at most; past that, and while it cannot be loaded, the page comes with the look
 * known before, else plain, and it is asked for again after `RETRY_MS`.
 *
 * Bounds: `ORGANIZATIONS_MAX` looks of some kilobytes, one load per organization, `LOADS_MAX` in all. A crash loses nothing.
 */
import { eq } from "drizzle-orm";
import { colourOf, contrastOf } from "@/core/qr/colour";
import { type BoundedMap, createBoundedMap } from "@/platform/bounded-map";
import type { Clock } from "@/platform/clock";
import { organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const FRESH_MS = 60_000;
const WAIT_MS = 300;
const RETRY_MS = 1_000;
const ORGANIZATIONS_MAX = 2_000;
const LOADS_MAX = 50;

export interface Brand {
  orgId: string;
  name: string;
  hasLogo: boolean;
  /** `#rrggbb`, with black or white on it, whichever is read better: one has a contrast of 4.5 to 1 on any colour. */
  accent: { ground: string; ink: string } | null;
  supportUrl: string | null;
  footerText: string | null;
}

export type LoadBrand = (orgId: string) => Promise<Brand | null>;

/** Never rejects; null where the page is to come plain. */
export type BrandOf = (orgId: string) => Promise<Brand | null>;

export interface BrandCacheOptions {
  load: LoadBrand;
  clock: Clock;
  onLoadFailed(error: unknown): void;
}

interface Entry {
  brand: Brand | null;
  /** When it is to be loaded again. */
  dueAt: number;
  generation: number;
}

export class BrandCache {
  readonly #entries: BoundedMap<string, Entry> = createBoundedMap(ORGANIZATIONS_MAX);
  readonly #flights = new Map<string, Promise<Brand | null>>();
  /** What was loaded in an earlier one is outdated. */
  #generation = 0;

  constructor(private readonly options: BrandCacheOptions) {}

  readonly of: BrandOf = async (orgId) => {
    const entry = this.#entries.get(orgId);
    if (entry && entry.generation === this.#generation && this.options.clock() < entry.dueAt) return entry.brand;
    const loaded = await Promise.race([this.#fly(orgId), Bun.sleep(WAIT_MS)]);
    return loaded === undefined ? (entry?.brand ?? null) : loaded;
  };

  /** The organization has changed; any, when it is not named. */
  outdate(orgId?: string): void {
    if (orgId === undefined) this.#generation++;
    else this.#outdateOne(orgId);
    for (const flown of orgId === undefined ? this.#flights.keys() : [orgId]) this.#flights.delete(flown);
  }

  /** What was known stays for as long as nothing newer can be had. */
  #outdateOne(orgId: string): void {
    const entry = this.#entries.get(orgId);
    if (entry) this.#entries.set(orgId, { ...entry, dueAt: Number.NEGATIVE_INFINITY });
  }

  #fly(orgId: string): Promise<Brand | null> {
    const under = this.#flights.get(orgId);
    if (under) return under;
    const known = this.#entries.get(orgId)?.brand ?? null;
    if (this.#flights.size >= LOADS_MAX) return Promise.resolve(known);
    const flight = this.#load(orgId, known, () => this.#flights.get(orgId) === flight);
    this.#flights.set(orgId, flight);
    return flight;
  }

  /** `isWanted`: whether nothing has changed since it was asked for; else what it brings may be old already. */
  async #load(orgId: string, known: Brand | null, isWanted: () => boolean): Promise<Brand | null> {
    const { load, clock, onLoadFailed } = this.options;
    const generation = this.#generation;
    const keep = (brand: Brand | null, freshMs: number) => {
      if (!isWanted()) return;
      this.#entries.set(orgId, { brand, dueAt: clock() + freshMs, generation });
      this.#flights.delete(orgId);
    };
    try {
      const brand = await load(orgId);
      keep(brand, FRESH_MS);
      return brand;
    } catch (error) {
      onLoadFailed(error);
      keep(known, RETRY_MS);
      return known;
    }
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
      accent: accentOf(accentColor),
      supportUrl: supportUrl ?? null,
      footerText: footerText ?? null,
    };
  };

function accentOf(given: string | undefined): Brand["accent"] {
  const ground = given && colourOf(given);
  if (!ground) return null;
  return { ground, ink: contrastOf(ground, "#ffffff") >= contrastOf(ground, "#000000") ? "#ffffff" : "#000000" };
}
