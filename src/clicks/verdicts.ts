/**
 * Verdicts on suspicious clicks, carried out on every figure. A click from spam score 70 on is pending and counts as a
 * bot's; confirmed it counts nowhere, `includeBots` or not; dismissed it counts as a person's.
 *
 * Counters and figures get what changes as rows of a writer of their own, which may be negative: they are summed when
 * read, so that no verdict waits for a click writer. Sketches cannot be taken away from; see `sketch-removal`.
 */
import type { ReviewStatus } from "@/contract/abuse";
import { HOUR_MS } from "@/core/time-range";
import { CORRECTIONS_WRITER } from "@/platform/db/schema/clicks";
import type { Statements } from "@/platform/db/statements";
import { FigureStore } from "./figures";
import { type CountedVisit, rollUp, type Tally, type VisitGroup } from "./rollup";
import { removeVisitor } from "./sketch-removal";

/** A click as it is stored, as far as it is counted. */
export interface StoredClick {
  occurredAt: Date;
  orgId: string;
  linkId: string;
  visitor: bigint;
  platform: string;
  deviceType: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  city: string | null;
  language: string | null;
  referrer: string | null;
}

type Kind = "human" | "bot";

const COUNTED_AS: Record<ReviewStatus, Kind | null> = { pending: "bot", confirmed: null, dismissed: "human" };

/** What `is_bot` of the click's row is to say. */
export const isBotAfter = (status: ReviewStatus): boolean => COUNTED_AS[status] !== "human";

/**
 * Moves the click's figures from one status to another. To be called once for each change, in its transaction, after the
 * click's row says the new status, and by one transaction of the organization at a time.
 */
export async function moveFigures(tx: Statements, click: StoredClick, from: ReviewStatus, to: ReviewStatus) {
  const [before, after] = [COUNTED_AS[from], COUNTED_AS[to]];
  if (before === after) return;
  await moveCounters(tx, click, before, after);
  if (before) await remove(tx, visitAs(click, before));
  if (after) await add(tx, visitAs(click, after));
}

async function moveCounters(tx: Statements, { orgId, linkId }: StoredClick, before: Kind | null, after: Kind | null) {
  const change = (kind: Kind) => Number(after === kind) - Number(before === kind);
  await tx.run(
    `insert into link_counters (org_id, link_id, writer, clicks, bot_clicks)
     values ($1::text::uuid, $2::text::uuid, $3::int, $4::bigint, $5::bigint)
     on conflict (link_id, writer) do update set
       clicks = link_counters.clicks + excluded.clicks,
       bot_clicks = link_counters.bot_clicks + excluded.bot_clicks`,
    [orgId, linkId, CORRECTIONS_WRITER, change("human"), change("bot")],
  );
}

async function remove(tx: Statements, visit: CountedVisit): Promise<void> {
  const { hours, days } = rollUp([visit]);
  await createStore().put(tx, CORRECTIONS_WRITER, { hours: hours.map(negated), days: days.map(negated) });
  await removeVisitor(tx, visit);
}

async function add(tx: Statements, visit: CountedVisit): Promise<void> {
  await createStore().put(tx, CORRECTIONS_WRITER, rollUp([visit]));
}

const createStore = () =>
  new FigureStore((damage) => {
    throw damage;
  });

function visitAs(click: StoredClick, kind: Kind): CountedVisit {
  const { orgId, linkId, visitor, platform, deviceType, browser, os, country, city } = click;
  const at = click.occurredAt.getTime();
  return {
    record: { kind: "click", at, orgId, linkId },
    hour: at - (at % HOUR_MS),
    visitor,
    isBot: kind === "bot",
    platform,
    agent: { deviceType: deviceType ?? undefined, browser: browser ?? undefined, os: os ?? undefined },
    place: { country: country ?? undefined, city: city ?? undefined },
    language: click.language ?? "",
    referrer: click.referrer ?? "",
  };
}

/** Of the counts; visitors cannot be taken away like this. */
function negated(group: VisitGroup): VisitGroup {
  const counts = Object.entries(group.counts).map(([metric, tally]) => [metric, negatedTally(tally)]);
  return { ...group, counts: Object.fromEntries(counts), humans: [], bots: [] };
}

function negatedTally(tally: Tally): Tally {
  const dimensions = Object.entries(tally).map(([dimension, values]) => {
    return [dimension, new Map([...values].map(([value, times]) => [value, -times]))];
  });
  return Object.fromEntries(dimensions);
}
