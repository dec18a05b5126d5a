/**
 * Verdicts on suspicious clicks, carried out on every figure. A click from spam score 70 on is pending and counts by its
 * reasons (`countsAsBot`); confirmed it counts nowhere, `includeBots` or not; dismissed it counts as a person's.
 *
 * Counters and figures get what changes as rows of a writer of their own, which may be negative: they are summed when
 * read, so that no verdict waits for a click writer. Sketches cannot be taken away from; see `sketch-removal`.
 */
import type { ReviewStatus } from "@/contract/abuse";
import { HOUR_MS } from "@/core/time-range";
import { type ClickRow, type StoredValues, storedValuesOf } from "@/platform/db/dimensions";
import { CORRECTIONS_WRITER } from "@/platform/db/schema/clicks";
import type { Statements } from "@/platform/db/statements";
import { countsAsBot } from "./bot-signs";
import { FigureStore } from "./figures";
import { type CountedVisit, rollUp, type Tally, type VisitGroup } from "./rollup";
import { removeVisitor } from "./sketch-removal";

type Kind = "human" | "bot";

type Reviewed = Pick<ClickRow, "botReasons">;

function countedAs({ botReasons }: Reviewed, status: ReviewStatus): Kind | null {
  if (status === "confirmed") return null;
  return status === "pending" && countsAsBot(botReasons) ? "bot" : "human";
}

/** What `is_bot` of the click's row is to say. */
export const isBotAfter = (click: Reviewed, status: ReviewStatus): boolean => countedAs(click, status) !== "human";

/**
 * Moves the click's figures from one status to another. To be called once for each change, in its transaction, after the
 * click's row says the new status, and by one transaction of the organization at a time.
 */
export async function moveFigures(tx: Statements, click: ClickRow, from: ReviewStatus, to: ReviewStatus) {
  const [before, after] = [countedAs(click, from), countedAs(click, to)];
  if (before === after) return;
  await moveCounters(tx, click, before, after);
  const values = storedValuesOf({ ...click, domainId: click.domainId ?? (await domainOf(tx, click)) });
  if (before) await remove(tx, visitAs(click, values, before));
  if (after) await add(tx, visitAs(click, values, after));
}

async function moveCounters(tx: Statements, { orgId, linkId }: ClickRow, before: Kind | null, after: Kind | null) {
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

/** Of a click from before its row said so. */
async function domainOf(tx: Statements, { orgId, linkId }: ClickRow): Promise<string | null> {
  const [link] = await tx.run<{ domainId: string }>(
    `select domain_id as "domainId" from links where org_id = $1::text::uuid and id = $2::text::uuid`,
    [orgId, linkId],
  );
  return link?.domainId ?? null;
}

function visitAs({ occurredAt, orgId, linkId, visitor, platform }: ClickRow, values: StoredValues, kind: Kind) {
  const at = occurredAt.getTime();
  return {
    record: { kind: "click" as const, at, orgId, linkId },
    hour: at - (at % HOUR_MS),
    visitor,
    isBot: kind === "bot",
    platform,
    known: { values },
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
