/**
 * The clicks of an organization in columns, for whoever goes through all clicks of a range. A range is divided into units:
 * whole days before today, the hours of today. Each is known by the version of its figures (`versions.ts`), in the reader's
 * own snapshot, and comes from the first place that has this version: from memory; from what `build-days.ts` has stored; from
 * the raw clicks. So an answer is never older than a click, a verdict or an erasure that its snapshot holds.
 *
 * Raw clicks cost so much more that `RAW_CLICKS_MAX` are read for a request, or half of all it goes through, though never more
 * than `RAW_CLICKS_MOST`; whoever would need more is told so and lets Postgres count. Postgres counts all of them anew each time,
 * while the hours of today that were read once are kept: a busy organization has more than the first of these bounds before
 * noon, and its months would be counted by Postgres until midnight.
 *
 * Bounds: `KEPT_BYTES_MAX` a process, less recently used units first; `NUMBERED_MAX` values have numbers, past that all is
 * forgotten before the next request. A unit of more than an eighth is not kept. While a request goes on it holds what it
 * loads at once, `LOADED_CLICKS` clicks. A crash loses nothing: all of it is made of what Postgres has.
 */
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS, type Span } from "@/core/time/time-range";
import type { Copies, Copy } from "@/platform/db/copies";
import type { Versioned } from "../read/kept";
import type { Reader } from "../read/scope";
import { bytesOf, type ClickPart, type PlainPart } from "./click-columns";
import { KeptUnits } from "./kept-units";
import { LinkTags } from "./link-tags";
import { ValueNumbers } from "./numbers";
import { unpackPart } from "./packed-part";
import { rawParts } from "./raw-parts";
import { readStored, type StoredPart, storedVersions } from "./stored-days";
import { readVersions, type UnitLevel, type UnitVersion } from "./versions";

const KEPT_BYTES_MAX = 128 * 2 ** 20;
const UNIT_BYTES_MAX = KEPT_BYTES_MAX / 8;
const NUMBERED_MAX = 1_000_000;
const RAW_CLICKS_MAX = 30_000;
const RAW_SHARE_MAX = 0.5;
const RAW_CLICKS_MOST = 200_000;
const LOADED_CLICKS = 50_000;
/** So many are gone through before others have a turn. */
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
  /** In the order of time; units at the ends of the range are whole. May be gone through more than once. */
  parts(): AsyncIterable<ClickPart>;
}

export class LoadedDays implements Copy {
  readonly #kept = new KeptUnits<LoadedUnit>(KEPT_BYTES_MAX);
  /** Those of all that is kept. */
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

  /** What there is of the range. Undefined where too much of it would have to be read from raw clicks. */
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

  /** Those of a unit, which is kept where it is not too large. */
  async *#partsOf({ orgId, numbers }: Opened, unit: Unit, sources: Loading[] = []): AsyncGenerator<ClickPart> {
    if (typeof unit.place !== "string") return yield* unit.place.parts;
    let [parts, bytes]: [ClickPart[], number] = [[], UNIT_BYTES];
    for (const source of sources) {
      const part = numbers.open("packed" in source ? await unpackPart(source.packed) : source);
      yield part;
      // Whoever had it has asked for its columns, which take less since.
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

/** So many of them may have to be read from raw clicks. */
export const rawMaxAmong = (clicks: number): number =>
  Math.max(RAW_CLICKS_MAX, Math.min(RAW_SHARE_MAX * clicks, RAW_CLICKS_MOST));

interface Opened {
  sql: Reader;
  orgId: OrgId;
  numbers: ValueNumbers;
}

type Loading = PlainPart | StoredPart;

const keyOf = (orgId: OrgId, level: UnitLevel, { start }: UnitVersion) => `${orgId} ${level} ${start}`;
const floorTo = (instant: number, length: number) => Math.floor(instant / length) * length;

/** Redirects are served by the same thread. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs of units, each of so many clicks as are loaded at once. */
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

/** Neighbours that are read from raw clicks, so that they are read at once. */
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
