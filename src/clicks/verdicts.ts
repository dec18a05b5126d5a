/**
 * Applies verdicts on suspicious clicks to every figure. A click with a spam score of 70 or more is pending and
 * counts by its reasons (`countsAsBot`). Once confirmed, it counts nowhere, with or without `includeBots`; once
 * dismissed, it counts as a person's. An install that was claimed from the click counts like it, and so does a lead
 * that the visitor left.
 *
 * Changes to counters and figures are rows of a separate writer and may be negative: figures are summed when they are
 * read, so no verdict waits for a click writer. Nothing can be subtracted from sketches; see `sketch-removal`.
 */
import type { ReviewStatus } from "@/contract/analytics/abuse";
import { HOUR_MS } from "@/core/time/time-range";
import { type ClickRow, storedValuesOf } from "@/figures/dimensions";
import { FigureStore } from "@/figures/write/figure-store";
import { addCounters } from "@/figures/write/link-counters";
import { type CountedVisit, rollUp, type VisitGroup } from "@/figures/write/rollup";
import { removeVisitors } from "@/figures/write/sketch-removal";
import type { Tally } from "@/figures/write/tally";
import { arrayLiteral } from "@/platform/db/array-literals";
import { CORRECTIONS_WRITER } from "@/platform/db/figure-constants";
import type { Statements } from "@/platform/db/statements";
import { keyOfNumber } from "@/platform/visitor";
import { type CountedAs, type MovedOpens, reclassifyOpens } from "./count-open";
import { countsAsBot } from "./enrich/bot-signs";
import { moveLeads } from "./move-leads";

type Reviewed = Pick<ClickRow, "botReasons">;

function countedAs({ botReasons }: Reviewed, status: ReviewStatus): CountedAs {
  if (status === "confirmed") return null;
  return status === "pending" && countsAsBot(botReasons) ? "bot" : "human";
}

/** Returns the value for `is_bot` in the click's row. */
export const isBotAfter = (click: Reviewed, status: ReviewStatus): boolean => countedAs(click, status) !== "human";

export interface ReviewedClick {
  click: ClickRow;
  /** The status before the change. */
  from: ReviewStatus;
}

interface MovedClick {
  click: ClickRow;
  before: CountedAs;
  after: CountedAs;
}

/**
 * Moves the figures of an organization's clicks from their former statuses to another. Call it once per change, in
 * the same transaction, after the clicks' rows have the new status, and in only one transaction of the organization
 * at a time.
 */
export async function moveFigures(tx: Statements, reviewed: readonly ReviewedClick[], to: ReviewStatus): Promise<void> {
  const moved = reviewed
    .map(({ click, from }) => ({ click, before: countedAs(click, from), after: countedAs(click, to) }))
    .filter(({ before, after }) => before !== after);
  const [first] = moved;
  if (!first) return;
  await moveCounters(tx, moved);
  const domains = await domainsOf(tx, moved);
  const visits = (which: "before" | "after") =>
    moved.flatMap(({ click, [which]: kind }) => (kind ? [visitAs(click, domains, kind)] : []));
  const opens = await moveOpens(tx, first.click.orgId, moved);
  await moveLeadsOf(tx, first.click.orgId, moved);
  await take(tx, [...visits("before"), ...opens.before]);
  await add(tx, [...visits("after"), ...opens.after]);
  await removeVisitors(tx, visits("before"));
}

/**
 * Lets the installs that were claimed from these clicks count like them, with all figures. Call it in only one
 * transaction of the organization at a time.
 */
export async function moveInstalls(
  tx: Statements,
  orgId: string,
  clickIds: readonly string[],
  as: CountedAs,
): Promise<void> {
  const { before, after } = await reclassifyOpens(tx, orgId, clickIds, as);
  await take(tx, before);
  await add(tx, after);
}

/** A click that comes to count as a person's may be its link's last one. One that ceases to may remain so. */
async function moveCounters(tx: Statements, moved: readonly MovedClick[]): Promise<void> {
  const byLink = [...Map.groupBy(moved, ({ click }) => click.linkId)].sort(([one], [other]) => (one < other ? -1 : 1));
  const change = (clicks: readonly MovedClick[], kind: "human" | "bot") =>
    clicks.reduce((sum, { before, after }) => sum + Number(after === kind) - Number(before === kind), 0);
  const lastOf = (clicks: readonly MovedClick[]) =>
    Math.max(0, ...clicks.map(({ click, after }) => (after === "human" ? click.occurredAt.getTime() : 0)));
  const counters = byLink.map(([linkId, clicks]) => ({
    ...{ orgId: moved[0]?.click.orgId ?? "", linkId, lastClickAt: lastOf(clicks) },
    ...{ clicks: change(clicks, "human"), botClicks: change(clicks, "bot") },
  }));
  await addCounters(tx, CORRECTIONS_WRITER, counters);
}

/** Moves installs along with the clicks they were claimed from. */
async function moveOpens(tx: Statements, orgId: string, moved: readonly MovedClick[]): Promise<MovedOpens> {
  const opens: MovedOpens = { before: [], after: [] };
  for (const [after, alike] of Map.groupBy(moved, (each) => each.after)) {
    const ids = alike.map(({ click }) => click.id);
    const changed = await reclassifyOpens(tx, orgId, ids, after);
    opens.before.push(...changed.before);
    opens.after.push(...changed.after);
  }
  return opens;
}

/** Moves leads along with the clicks they came from. */
async function moveLeadsOf(tx: Statements, orgId: string, moved: readonly MovedClick[]): Promise<void> {
  for (const [after, alike] of Map.groupBy(moved, (each) => each.after)) {
    const clicks = alike.map(({ click }) => click);
    await moveLeads(tx, orgId, clicks, after);
  }
}

async function take(tx: Statements, visits: readonly CountedVisit[]): Promise<void> {
  const { values, hours, days } = rollUp(visits);
  const groups = { values, hours: hours.map(negated), days: days.map(negated) };
  await createStore().takeAway(tx, CORRECTIONS_WRITER, groups);
}

async function add(tx: Statements, visits: readonly CountedVisit[]): Promise<void> {
  await createStore().put(tx, CORRECTIONS_WRITER, rollUp(visits));
}

const createStore = () =>
  new FigureStore((damage) => {
    throw damage;
  });

/** Returns the domains of links, for clicks stored before their rows had one. */
async function domainsOf(tx: Statements, moved: readonly MovedClick[]): Promise<Map<string, string>> {
  const unsaid = moved.filter(({ click }) => click.domainId === null);
  const [first] = unsaid;
  if (!first) return new Map();
  const links = await tx.run<{ id: string; domainId: string }>(
    `select id, domain_id as "domainId" from links where org_id = $1::text::uuid and id = any($2::text::uuid[])`,
    [first.click.orgId, arrayLiteral([...new Set(unsaid.map(({ click }) => click.linkId))])],
  );
  return new Map(links.map(({ id, domainId }) => [id, domainId]));
}

function visitAs(click: ClickRow, domains: ReadonlyMap<string, string>, kind: "human" | "bot"): CountedVisit {
  const { occurredAt, orgId, linkId, visitor, platform, domainId } = click;
  const at = occurredAt.getTime();
  return {
    record: { kind: "click", at, orgId, linkId },
    hour: at - (at % HOUR_MS),
    visitor: keyOfNumber(visitor),
    isBot: kind === "bot",
    platform,
    known: { values: storedValuesOf({ ...click, domainId: domainId ?? domains.get(linkId) ?? null }) },
  };
}

/** Negates the counts. Visitors cannot be subtracted this way. */
const negated = (group: VisitGroup): VisitGroup => ({
  ...group,
  people: negatedTally(group.people),
  bots: negatedTally(group.bots),
});

const negatedTally = ({ clicks, opens, values, counts }: Tally): Tally => ({
  clicks: -clicks,
  opens: -opens,
  values,
  counts: counts.map((count) => -count),
  visitors: new BigUint64Array(),
});
