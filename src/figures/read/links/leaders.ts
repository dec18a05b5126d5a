/**
 * Caches the most clicked links of each day and hour. Ranking the links of months anew would read millions of
 * figures, although past days hardly ever change. So the first `LEADERS_MAX` links of each day or hour are cached,
 * under the version of the whole organization's figures there: whatever changes a link's figures changes those in the
 * same transaction.
 *
 * A ranking sums the leaders. The first link below the leaders of a part bounds what any other link may have there
 * (Fagin, Lotem & Naor 2003, "Optimal aggregation algorithms for middleware": the no-random-access algorithm). Sums
 * of past days are cached as well. If the order of links remains in doubt, they are looked up in the few parts where
 * they are not leaders.
 *
 * Bound: 32 MB per process. A crash loses nothing; the first ranking after it reads the stored leaders of whole days
 * (`stored-leaders`) and, for other parts, the figures of all links once.
 */
import type { OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import type { Copies } from "@/platform/db/copies";
import type { FiguresScope, Reader } from "../scope";
import { type Versioned, VersionedCache } from "../versioned-cache";
import { listIdOf, uuidOf } from "./click-list";
import { type ClickedPart, LEADERS_MAX, lookUp, type PartLeaders, readLeaders, readParts } from "./led-parts";
import { LinkRanking, LinkSums, type RankedLink } from "./link-ranking";
import { readStoredLeaders } from "./stored-leaders";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const SUM_BYTES = 150;
const PART_BYTES = 500;
/** At most this many single figures, each of one link in one part, are looked up for a ranking. */
const LOOKED_UP_MAX = 20_000;

interface Leaders extends Versioned, PartLeaders {}

interface Sums extends Versioned {
  links: LinkSums;
  rest: number;
}

export interface LedRange {
  ranking: LinkRanking;
  /** In time order. */
  parts: readonly ClickedPart[];
}

export class LinkLeaders {
  readonly #parts: VersionedCache<Leaders>;
  readonly #sums: VersionedCache<Sums>;

  constructor(copies: Copies) {
    this.#parts = new VersionedCache(KEPT_BYTES_MAX / 2, copies);
    this.#sums = new VersionedCache(KEPT_BYTES_MAX / 2, copies);
  }

  /** Returns the ranking of human clicks over the whole hours and days of the range. It belongs to the caller. */
  async read(sql: Reader, orgId: OrgId, { whole }: Pick<FiguresScope, "whole">, max = LEADERS_MAX): Promise<LedRange> {
    const parts = await readParts(sql, orgId, whole);
    const past = await this.#past(sql, orgId, parts.slice(0, -1), max);
    const ranking = new LinkRanking(past.links, past.rest);
    for (const { links, rest } of await this.#leaders(sql, orgId, parts.slice(-1), max)) {
      ranking.rest += rest;
      links.forEach((digits, clicks) => {
        ranking.add(uuidOf(digits), clicks, rest);
      });
    }
    return { ranking, parts };
  }

  /**
   * Returns the clicks of these links in the parts where they are not leaders; links without any are absent. Returns
   * undefined if too many single figures would have to be looked up.
   */
  async readBeneath(
    sql: Reader,
    orgId: OrgId,
    parts: readonly ClickedPart[],
    linkIds: readonly string[],
    max = LEADERS_MAX,
  ): Promise<Map<string, number> | undefined> {
    const leaders = await this.#leaders(sql, orgId, parts, max);
    const asked = linkIds.flatMap((linkId) => {
      const id = listIdOf(linkId);
      return parts.flatMap((part, place) => (mayHaveUnlistedClicks(leaders[place], id) ? [{ linkId, part }] : []));
    });
    return asked.length > LOOKED_UP_MAX ? undefined : lookUp(sql, orgId, asked);
  }

  /**
   * Returns the cached leaders of the days in which people clicked, in time order; undefined for a day that is not
   * cached.
   */
  async keptDays(sql: Reader, orgId: OrgId, days: Span, max = LEADERS_MAX) {
    const parts = await readParts(sql, orgId, { days, hours: [] });
    return parts.map((part) => ({
      start: part.start,
      leaders: this.#parts.get(keyOf(orgId, part, max), part.version),
    }));
  }

  /** Sums the leaders of these parts, which must not include the newest one, because that one keeps changing. */
  async #past(sql: Reader, orgId: OrgId, parts: readonly ClickedPart[], max: number): Promise<Sums> {
    const [first, last] = [parts[0], parts.at(-1)];
    const key = `${orgId} ${first?.start} ${last?.start} ${last?.source.start} ${max}`;
    const version = parts.map(({ source, start, version }) => `${source.start} ${start} ${version}`).join(";");
    const known = this.#sums.get(key, version);
    if (known) return known;
    const leaders = await this.#leaders(sql, orgId, parts, max);
    const links = sumUp(leaders);
    const bytes = PART_BYTES + version.length + SUM_BYTES * links.size;
    const rest = leaders.reduce((sum, each) => sum + each.rest, 0);
    const sums = { version, bytes, links: new LinkSums(links), rest };
    this.#sums.set(key, sums);
    return sums;
  }

  /** Returns the leaders in the order of the parts. */
  async #leaders(sql: Reader, orgId: OrgId, parts: readonly ClickedPart[], max: number): Promise<Leaders[]> {
    const found = new Map(parts.map((part) => [part, this.#parts.get(keyOf(orgId, part, max), part.version)]));
    const missing = parts.filter((part) => !found.get(part));
    const stored = await readStoredLeaders(sql, orgId, missing, max);
    const others = missing.filter((part) => !stored.has(part));
    for (const [part, read] of [...stored, ...(await readLeaders(sql, orgId, others, max))]) {
      const leaders = leadersOf(part, read);
      this.#parts.set(keyOf(orgId, part, max), leaders);
      found.set(part, leaders);
    }
    return parts.flatMap((part) => found.get(part) ?? []);
  }
}

const keyOf = (orgId: OrgId, { source, start }: ClickedPart, max: number) => `${orgId} ${source.start} ${start} ${max}`;

/** True if the link may have clicks that the leaders do not show. */
export const mayHaveUnlistedClicks = (leaders: Pick<Leaders, "links" | "rest"> | undefined, id: Buffer): boolean =>
  leaders === undefined || (leaders.rest > 0 && leaders.links.find(id) === undefined);

function sumUp(leaders: readonly Leaders[]): Map<string, RankedLink> {
  const sums = new Map<string, RankedLink>();
  for (const { links, rest } of leaders) {
    links.forEach((digits, clicks) => {
      const known = sums.get(digits);
      if (known === undefined) {
        sums.set(digits, { linkId: uuidOf(digits), clicks, covered: rest });
        return;
      }
      known.clicks += clicks;
      known.covered += rest;
    });
  }
  return new Map(Array.from(sums.values(), (link) => [link.linkId, link]));
}

function leadersOf({ version }: ClickedPart, { links, rest }: PartLeaders): Leaders {
  return { version, bytes: PART_BYTES + links.bytes, links, rest };
}
