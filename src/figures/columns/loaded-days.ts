/**
 * The clicks of an organization in columns, for requests that go through all clicks of a range. A range is divided
 * into units: whole days before today, and the hours of today. Each unit is identified by the version of its figures
 * (`versions.ts`) in the reader's own snapshot, and comes from the first place that has this version: memory, what
 * `build-days.ts` has stored, or the raw clicks. So a response includes every click, verdict and erasure in its
 * snapshot.
 *
 * Raw clicks cost so much more that a request may read `RAW_CLICKS_MAX` of them, or half of all clicks it goes
 * through, but never more than `RAW_CLICKS_MOST`. If it would need more, nothing is opened and Postgres counts
 * instead. Postgres counts everything anew each time, while the hours of today are cached once read: a busy
 * organization exceeds the first of these bounds before noon, and Postgres would have to count its months until
 * midnight.
 *
 * Bounds: `KEPT_BYTES_MAX` per process, least recently used units evicted first. `NUMBERED_MAX` values have numbers;
 * once there are more, everything is forgotten before the next request. A unit of more than an eighth of
 * `KEPT_BYTES_MAX` is not cached. During a request, it holds what is loaded together, about `LOADED_CLICKS` clicks. A
 * crash loses nothing: all of it is derived from what Postgres has.
 */
import type { OrgId } from "@/core/ids";
import { DAY_MS, floorTo, HOUR_MS, type Span } from "@/core/time/time-range";
import type { Copies, Copy } from "@/platform/db/copies";
import type { Reader } from "../read/scope";
import type { Versioned } from "../read/versioned-cache";
import { bytesOf, type ClickPart, type PlainPart } from "./click-columns";
import { LinkTags } from "./link-tags";
import { ValueNumbers } from "./numbers";
import { unpackPart } from "./packed-part";
import { rawParts } from "./raw-parts";
import { readStored, type StoredPart, storedVersions } from "./stored-days";
import { UnitCache } from "./unit-cache";
import { readVersions, type UnitLevel, type UnitVersion } from "./versions";

const KEPT_BYTES_MAX = 128 * 2 ** 20;
const UNIT_BYTES_MAX = KEPT_BYTES_MAX / 8;
const NUMBERED_MAX = 1_000_000;
const RAW_CLICKS_MAX = 30_000;
const RAW_SHARE_MAX = 0.5;
const RAW_CLICKS_MOST = 200_000;
const LOADED_CLICKS = 50_000;
/** The number of rows after which other work gets an event-loop turn. */
const ROWS_A_TURN = 65_536;
const UNIT_BYTES = 500;

interface LoadedUnit extends Versioned {
  parts: readonly ClickPart[];
}

interface Unit extends UnitVersion {
  level: UnitLevel;
  place: "stored" | "raw" | LoadedUnit;
}

export interface OpenedDays {
  numbers: ValueNumbers;
  tags: LinkTags;
  /** Yields parts in time order. Units at the ends of the range are whole. Can be called more than once. */
  parts(): AsyncIterable<ClickPart>;
}

export class LoadedDays implements Copy {
  readonly #kept = new UnitCache<LoadedUnit>(KEPT_BYTES_MAX);
  /** The numbers that all cached units use. */
  #numbers = new ValueNumbers();
  #tags = new LinkTags(this.#numbers);

  constructor(copies: Copies) {
    copies.add(this);
  }

  forget(): void {
    this.#kept.forget();
    this.#numbers = new ValueNumbers();
    this.#tags = new LinkTags(this.#numbers);
  }

  /** Opens what there is of the range. Returns undefined if too many raw clicks would have to be read. */
  async open(
    sql: Reader,
    orgId: OrgId,
    range: Span,
    { now, rawMax }: { now: number; rawMax?: number },
  ): Promise<OpenedDays | undefined> {
    if (this.#numbers.size > NUMBERED_MAX) this.forget();
    const [numbers, tags] = [this.#numbers, this.#tags];
    const today = floorTo(now, DAY_MS);
    const days = { from: floorTo(range.from, DAY_MS), to: Math.min(range.to, today) };
    const hours = { from: Math.max(floorTo(range.from, HOUR_MS), today), to: range.to };
    const [ofDays, ofHours] = await Promise.all([
      readVersions(sql, orgId, "day", days),
      readVersions(sql, orgId, "hour", hours),
    ]);
    const placed = (level: UnitLevel) => (unit: UnitVersion) => {
      const kept = this.#kept.get(keyOf(orgId, level, unit), unit.version);
      return { ...unit, level, place: kept ?? ("raw" as const) };
    };
    const units: Unit[] = [...ofDays.map(placed("day")), ...ofHours.map(placed("hour"))];
    const missing = units.filter(({ level, place }) => level === "day" && place === "raw");
    const stored = await storedVersions(
      sql,
      orgId,
      missing.map(({ start }) => start),
    );
    for (const unit of missing) if (stored.get(unit.start) === unit.version) unit.place = "stored";
    const raw = sumOf(units.filter(({ place }) => place === "raw"));
    if (raw > (rawMax ?? rawMaxAmong(sumOf(units)))) return undefined;
    return { numbers, tags, parts: () => this.#parts({ sql, orgId, numbers }, units) };
  }

  async *#parts(from: Opened, units: readonly Unit[]): AsyncGenerator<ClickPart> {
    let rows = 0;
    for (const some of inLoads(units)) {
      const sources = await load(from, some);
      for (const unit of some) {
        for await (const part of this.#partsOf(from, unit, sources.get(unit))) {
          yield part;
          rows += part.rows;
          if (rows < ROWS_A_TURN) continue;
          rows = 0;
          await turn();
        }
      }
    }
  }

  /** Yields the parts of a unit and caches the unit unless it is too large. */
  async *#partsOf({ orgId, numbers }: Opened, unit: Unit, sources: Loading[] = []): AsyncGenerator<ClickPart> {
    if (typeof unit.place !== "string") return yield* unit.place.parts;
    let [parts, bytes]: [ClickPart[], number] = [[], UNIT_BYTES];
    for (const source of sources) {
      const part = numbers.open("packed" in source ? await unpackPart(source.packed) : source);
      yield part;
      // Whatever received the part has used its columns by now, which take less memory since.
      bytes += bytesOf(part);
      parts = bytes <= UNIT_BYTES_MAX ? [...parts, part] : [];
    }
    if (bytes > UNIT_BYTES_MAX || numbers !== this.#numbers) return;
    const loaded = { version: unit.version, parts, bytes };
    this.#kept.set(keyOf(orgId, unit.level, unit), loaded);
    unit.place = loaded;
  }
}

const sumOf = (units: readonly Unit[]): number => units.reduce((sum, { clicks }) => sum + clicks, 0);

/** Returns how many of these clicks may be read from raw clicks. */
export const rawMaxAmong = (clicks: number): number =>
  Math.max(RAW_CLICKS_MAX, Math.min(RAW_SHARE_MAX * clicks, RAW_CLICKS_MOST));

interface Opened {
  sql: Reader;
  orgId: OrgId;
  numbers: ValueNumbers;
}

type Loading = PlainPart | StoredPart;

const keyOf = (orgId: OrgId, level: UnitLevel, { start }: UnitVersion) => `${orgId} ${level} ${start}`;

/** Lets other work run, because the same thread serves redirects. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Yields runs of units, each with as many clicks as are loaded together. */
function* inLoads(units: readonly Unit[]): Generator<Unit[]> {
  let [some, clicks]: [Unit[], number] = [[], 0];
  for (const unit of units) {
    some.push(unit);
    clicks += typeof unit.place === "string" ? unit.clicks : 0;
    if (clicks < LOADED_CLICKS) continue;
    yield some;
    [some, clicks] = [[], 0];
  }
  yield some;
}

async function load({ sql, orgId }: Opened, units: readonly Unit[]): Promise<Map<Unit, Loading[]>> {
  const days = units.filter(({ place }) => place === "stored");
  const stored =
    days.length === 0
      ? []
      : await readStored(
          sql,
          orgId,
          days.map(({ start }) => start),
        );
  const byDay = Map.groupBy(stored, ({ day }) => day);
  const loaded = new Map<Unit, Loading[]>(days.map((unit) => [unit, byDay.get(unit.start) ?? []]));
  for (const run of rawRuns(units)) {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) continue;
    const unitMs = first.level === "day" ? DAY_MS : HOUR_MS;
    const byStart = new Map(run.map((unit): [number, PlainPart[]] => [unit.start, []]));
    for await (const part of rawParts(sql, orgId, { from: first.start, to: last.start + unitMs }, unitMs)) {
      byStart.get(part.start)?.push(part);
    }
    for (const unit of run) loaded.set(unit, byStart.get(unit.start) ?? []);
  }
  return loaded;
}

/** Yields runs of adjacent units that come from raw clicks, so that they are read together. */
function* rawRuns(units: readonly Unit[]): Generator<Unit[]> {
  let run: Unit[] = [];
  for (const unit of units) {
    const isNeighbour = unit.place === "raw" && (run.length === 0 || run[0]?.level === unit.level);
    if (!isNeighbour) {
      yield run;
      run = [];
    }
    if (unit.place === "raw") run.push(unit);
  }
  yield run;
}
