/**
 * Caches the newest clicks of links and their routes, by link and by day or hour. Reading tens of thousands of clicks
 * means as many accesses to scattered pages, and past days hardly ever change. Each entry is valid for one version of
 * its figures. A late click, an abuse verdict, an erasure and a correction renew that version in their own
 * transaction, and it is read in the same snapshot as everything else. So only changed days, and the time since the
 * last whole hour, are read again.
 *
 * For a day with more clicks than requested, only the newest are cached; they serve requests for no more than that
 * many. Leads and events are never cached.
 *
 * Bound: `KEPT_BYTES_MAX` per process; the least recently used entries are evicted first. A crash loses nothing,
 * because all of it comes from Postgres.
 */
import type { ISql, Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import { UnitCache } from "@/figures/columns/unit-cache";
import type { Versioned } from "@/figures/read/versioned-cache";
import type { Copies, Copy } from "@/platform/db/copies";
import { readConversions } from "./conversions-of-clicks";
import { type RoutedRow, rowsOfFirstDays, type SampleHead } from "./first-days";
import { type AskedClicks, readNewestClicks } from "./newest-clicks";
import { countSince, partOf, type Sample, sampleBytes } from "./sample";
import { readStretches, type Stretch } from "./stretches";

const KEPT_BYTES_MAX = 16 * 2 ** 20;
const WORK_MEMORY = "32MB";

export interface DestinationQuery {
  /** Each link with the maximum number of its newest clicks to read. */
  links: readonly { linkId: string; clicksMax: number }[];
  span: Span;
  /** Unix milliseconds. */
  now: number;
  includeBots: boolean;
  /** Maximum number of newest leads, and of newest events, to read per click of a link's `clicksMax`. */
  conversionsAClick: number;
}

interface KeptSample extends Versioned {
  sample: Sample;
  /** True if the sample has all clicks of its unit, false if only the newest. */
  isWhole: boolean;
}

/** A stretch with its cached sample, or a run of adjacent stretches to be read together. */
type Piece = { stretch: Stretch; sample: Sample } | Run;

interface Run extends AskedClicks {
  /** Newest first. */
  stretches: Stretch[];
}

interface Asked extends Pick<DestinationQuery, "span" | "includeBots"> {
  orgId: OrgId;
}

export class RoutedSamples implements Copy {
  readonly #kept = new UnitCache<KeptSample>(KEPT_BYTES_MAX);

  constructor(copies: Copies) {
    copies.add(this);
  }

  forget(): void {
    this.#kept.forget();
  }

  /**
   * Groups the newest clicks of each link by route and by the day of the visitor's first click, with the conversions
   * since the oldest of these clicks. A lead names its click; an event does so if its `visitorId` is the id of the
   * click, which `wm_cid` passes to the destination.
   */
  async read(sql: Sql, orgId: OrgId, query: DestinationQuery): Promise<RoutedRow[]> {
    const { links, conversionsAClick } = query;
    const { samples, conversions } = await sql.begin("isolation level repeatable read read only", async (tx) => {
      const samples = await this.#samples(tx, orgId, query);
      const asked = samples.flatMap(({ heads, since }, place) => {
        const { linkId = "", clicksMax = 0 } = links[place] ?? {};
        return heads.length === 0 ? [] : [{ linkId, since, most: conversionsAClick * clicksMax }];
      });
      return { samples, conversions: await readConversions(tx, orgId, asked) };
    });
    const rows: RoutedRow[] = [];
    for (const [place, { linkId }] of links.entries()) {
      const { heads } = samples[place] ?? { heads: [] };
      rows.push(...rowsOfFirstDays(linkId, heads, await conversions(linkId)));
    }
    return rows;
  }

  /** Returns the samples in the order of the links. */
  async #samples(sql: ISql, orgId: OrgId, { links, span, now, includeBots }: DestinationQuery) {
    const [stretches] = await Promise.all([readStretches(sql, orgId, span, now), planForIndexes(sql)]);
    const asked = { orgId, span, includeBots };
    const pieces = links.map(({ linkId, clicksMax }) => this.#piecesOf(asked, linkId, clicksMax, stretches));
    const runs = pieces.flat().filter((piece) => "most" in piece);
    const found = await readNewestClicks(sql, orgId, runs, includeBots);
    const read = new Map(runs.map((run, index) => [run, found[index]]));
    for (const [run, sample] of read) if (sample) this.#keep(asked, run, sample);
    return links.map(({ clicksMax }, place) => {
      const samples = (pieces[place] ?? []).map((piece) => ("most" in piece ? read.get(piece) : piece.sample));
      return headsOf(samples, span.from, clicksMax);
    });
  }

  /** Returns the pieces of a link from the newest on, until they hold `clicksMax` clicks. */
  #piecesOf(asked: Asked, linkId: string, clicksMax: number, stretches: readonly Stretch[]): Piece[] {
    const pieces: Piece[] = [];
    let left = clicksMax;
    for (const stretch of stretches) {
      if (left <= 0) break;
      const kept = this.#find(asked, linkId, stretch);
      if (kept && (kept.isWhole || kept.sample.rows >= left)) {
        pieces.push({ stretch, sample: kept.sample });
        left -= kept.sample.rows;
        continue;
      }
      const last = pieces.at(-1);
      if (last && "most" in last) {
        last.stretches.push(stretch);
        last.from = stretch.from;
      } else pieces.push({ linkId, from: stretch.from, to: stretch.to, most: left, stretches: [stretch] });
    }
    return pieces;
  }

  #find({ orgId, includeBots }: Asked, linkId: string, { from, unit }: Stretch): KeptSample | undefined {
    return unit && this.#kept.get(keyOf(orgId, linkId, includeBots, unit.level, from), unit.version);
  }

  #keep({ orgId, includeBots }: Asked, { linkId, most, stretches }: Run, sample: Sample): void {
    const isCut = sample.rows >= most;
    let first = 0;
    for (const { from, unit } of stretches) {
      const end = countSince(sample, from);
      const isLast = isCut && end === sample.rows;
      if (unit) {
        const own = partOf(sample, first, end);
        const kept = { version: unit.version, sample: own, isWhole: !isLast, bytes: sampleBytes(own) };
        this.#kept.set(keyOf(orgId, linkId, includeBots, unit.level, from), kept);
      }
      if (isLast) return;
      first = end;
    }
  }
}

const keyOf = (orgId: OrgId, linkId: string, includeBots: boolean, level: string, from: number) =>
  `${orgId} ${linkId} ${includeBots ? "all" : "people"} ${level} ${from}`;

/** Cuts the samples to the range and to `clicksMax` clicks, and returns the time of the oldest. */
function headsOf(samples: readonly (Sample | undefined)[], from: number, clicksMax: number) {
  const heads: SampleHead[] = [];
  let [left, since] = [clicksMax, Number.POSITIVE_INFINITY];
  for (const sample of samples) {
    if (!sample) continue;
    const rows = Math.min(left, countSince(sample, from));
    if (rows === 0) continue;
    heads.push({ sample, rows });
    since = sample.at[rows - 1] ?? since;
    left -= rows;
  }
  return { heads, since };
}

/**
 * Makes Postgres scan the index from the newest click on and stop early. Otherwise it assumes an average number of
 * clicks per link and sorts all clicks of the busiest link.
 */
const planForIndexes = (sql: ISql) =>
  sql`select set_config('enable_bitmapscan', 'off', true), set_config('work_mem', ${WORK_MEMORY}, true)`.execute();
