/**
 * Keeps the most clicked links of each day and hour. To rank the links of months anew would take a look at millions of
 * figures, although past days hardly ever change. So of each day or hour its `LEADERS_MAX` first links are kept, under
 * the version of the whole organization's figures there: whatever changes a link's changes those in the same
 * transaction.
 *
 * A ranking sums them up; what links beneath the leaders may have is bounded by the first of them (Fagin, Lotem & Naor
 * 2003, "Optimal aggregation algorithms for middleware": the no-random-access algorithm). Sums of past days are kept as well.
 * Where that leaves two links in doubt, they are looked up in the few parts whose leaders they are not.
 *
 * Bound: 32 MB a process. A crash loses nothing; the first ranking after it reads what is stored of whole days
 * (`stored-leaders`), and the figures of all links of the others once.
 */
import type { OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import type { Copies } from "@/platform/db/copies";
import { Kept, type Versioned } from "../kept";
import type { FiguresScope, Reader } from "../scope";
import { listIdOf, uuidOf } from "./click-list";
import { LEADERS_MAX, type LedPart, lookUp, type PartLeaders, readLeaders, readParts } from "./led-parts";
import { LinkRanking, LinkSums, type RankedLink } from "./link-ranking";
import { readStoredLeaders } from "./stored-leaders";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const SUM_BYTES = 150;
const PART_BYTES = 500;
/** So many single figures, each of a link in a part, are looked up for a ranking. */
const LOOKED_UP_MAX = 20_000;

interface Leaders extends Versioned, PartLeaders {}

interface Sums extends Versioned {
  links: LinkSums;
  rest: number;
}

export interface LedRange {
  ranking: LinkRanking;
  /** In the order of time. */
  parts: readonly LedPart[];
}

export class LinkLeaders {
  readonly #parts: Kept<Leaders>;
  readonly #sums: Kept<Sums>;

  constructor(copies: Copies) {
    this.#parts = new Kept(KEPT_BYTES_MAX / 2, copies);
    this.#sums = new Kept(KEPT_BYTES_MAX / 2, copies);
  }

  /** Of people, over the whole hours and days of the range: the caller's own. */
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
   * Of these links the clicks in the parts whose leaders they are not; absent where there are none. Undefined where too many
   * figures would have to be looked up for it one by one.
   */
  async readBeneath(
    sql: Reader,
    orgId: OrgId,
    parts: readonly LedPart[],
    linkIds: readonly string[],
    max = LEADERS_MAX,
  ): Promise<Map<string, number> | undefined> {
    const leaders = await this.#leaders(sql, orgId, parts, max);
    const asked = linkIds.flatMap((linkId) => {
      const id = listIdOf(linkId);
      return parts.flatMap((part, place) => (isBeneath(leaders[place], id) ? [{ linkId, part }] : []));
    });
    return asked.length > LOOKED_UP_MAX ? undefined : lookUp(sql, orgId, asked);
  }

  /** What is kept of the days in which people clicked, in the order of time; undefined for a day of which nothing is. */
  async keptDays(sql: Reader, orgId: OrgId, days: Span, max = LEADERS_MAX) {
    const parts = await readParts(sql, orgId, { days, hours: [] });
    return parts.map((part) => ({
      start: part.start,
      leaders: this.#parts.get(keyOf(orgId, part, max), part.version),
    }));
  }

  /** All but the newest part, which is the one that changes. */
  async #past(sql: Reader, orgId: OrgId, parts: readonly LedPart[], max: number): Promise<Sums> {
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

  /** In the order of the parts. */
  async #leaders(sql: Reader, orgId: OrgId, parts: readonly LedPart[], max: number): Promise<Leaders[]> {
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

const keyOf = (orgId: OrgId, { source, start }: LedPart, max: number) => `${orgId} ${source.start} ${start} ${max}`;

/** Whether the link may have clicks that are not told. */
export const isBeneath = (leaders: Pick<Leaders, "links" | "rest"> | undefined, id: Buffer): boolean =>
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

function leadersOf({ version }: LedPart, { links, rest }: PartLeaders): Leaders {
  return { version, bytes: PART_BYTES + links.bytes, links, rest };
}
