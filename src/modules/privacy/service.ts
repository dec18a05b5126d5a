/**
 * Erases a visitor: all data about one person goes, figures stay. It runs in short transactions, ends early past
 * `deadlineMs` and then reports so; the next call finds what is left, and a call with nothing left changes nothing.
 *
 * Visits are anonymized in rounds of visitor-hours. Anonymous visits have lost the ids by which deliveries and events
 * name them, so those of a round are erased first. That takes one scan of all deliveries, whose number has no bound:
 * `deadlineMs` counts from the end of a call's first scan, and a call anonymizes at least one hour, so that each gets
 * further than the one before.
 *
 * The visitor may be named by the id of one of their clicks, which destinations get as `wm_cid`: that stands for whoever
 * made the click.
 *
 * Within one call, each key of the visitor is replaced with a random one that is stored nowhere else: visits of one
 * person still count as one person's, but nobody can find out again whose they were. The audit log records that there
 * was an erasure and of how much, never of whom.
 */
import type { PrivacyErasure, PrivacyErasureInput } from "@/contract/accounts/privacy";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { invalid } from "@/http/errors";
import type { FiguresInTurn } from "@/http/figure-turns";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { type Statements, statementsOn } from "@/platform/db/statements";
import { emailSpellings } from "@/platform/hosts/email-address";
import { type VisitorSecret, visitorKeyText, visitorNumber } from "@/platform/visitor";
import { eraseDeliveries, type Told } from "./deliveries";
import * as store from "./store";
import { isVisitorKey, keysOf } from "./visitors";

interface VisitorHour {
  table: "clicks" | "opens";
  linkId: string;
  hour: number;
  visitor: bigint;
}

interface Anonymity {
  nobody: bigint;
  secret: VisitorSecret;
}

/** The store of clicks and opens: see `clicks/erase-visits`. */
export interface ErasableVisits {
  monthsOfVisits(statements: Statements, orgId: string): Promise<string[]>;
  findVisitorHours(
    statements: Statements,
    asked: { orgId: string; visitors: readonly bigint[]; month: string; limit: number },
  ): Promise<VisitorHour[]>;
  findHourOfClick(statements: Statements, orgId: string, clickId: string): Promise<VisitorHour | undefined>;
  idsOf(statements: Statements, orgId: string, hour: VisitorHour): Promise<string[]>;
  anonymise(tx: Statements, orgId: string, hour: VisitorHour, to: Anonymity): Promise<number>;
  eraseFromSketches(
    statements: Statements,
    inTransaction: (work: (tx: Statements) => Promise<void>) => Promise<void>,
    orgId: string,
    nobodies: ReadonlyMap<bigint, bigint>,
  ): Promise<void>;
}

export interface PrivacyOptions {
  db: Drizzle;
  clock: Clock;
  visitorSecret: VisitorSecret;
  figuresInTurn: FiguresInTurn;
  visits: ErasableVisits;
  /** Milliseconds after which one call ends early, from the end of its first scan of deliveries. */
  deadlineMs?: number;
  /** Milliseconds on a clock that never jumps. */
  stopwatch?(): number;
}

type Counts = PrivacyErasure["erased"];

export type PrivacyService = ReturnType<typeof createPrivacyService>;

const DEADLINE_MS = 20_000;
const HOURS_AT_ONCE = 500;

export function createPrivacyService(options: PrivacyOptions) {
  const { db, clock, visitorSecret, figuresInTurn, visits, deadlineMs = DEADLINE_MS } = options;
  const { stopwatch = () => performance.now() } = options;
  return {
    /** Throws 400 if the input names nobody, 503 if click writers do not release the figures in time. */
    async erase(tenant: Tenant, { visitorId, email }: PrivacyErasureInput): Promise<PrivacyErasure> {
      if (visitorId === undefined && email === undefined) throw invalid(["visitorId: visitorId or email is required"]);
      const [_id, emails] = [Bun.randomUUIDv7(), email === undefined ? [] : emailSpellings(email)];
      const named = await namedBy(options, tenant, visitorId, emails);
      const erased = { clicks: 0, opens: 0, claims: 0, events: 0, leads: 0, deliveries: 0 };
      try {
        return { _id, erased, isComplete: await eraseAll(tenant, named, erased) };
      } finally {
        await audit(db, tenant, _id, erased);
      }
    },
  };

  /**
   * Returns whether it finished in time. Leads show whose visits an email stands for, and a click shows whose id its
   * own stands for. So these go last, and after a call that ended early the next one finds the rest.
   */
  async function eraseAll({ orgId }: Tenant, named: Named, erased: Counts): Promise<boolean> {
    const [statements, to] = [statementsOn(db), clock()];
    const { ids, emails, hourOfClick: last } = named;
    const from = await store.findStart(statements, orgId);
    const visitors = ids.flatMap((id) => keysOf(visitorSecret, id, { orgId, from, to }));
    const nobodies = new Map(visitors.map((key) => [key, randomKey()]));
    const time = startTime(deadlineMs, stopwatch);
    for await (const hours of roundsOfHours(visits, statements, { orgId, visitors, last })) {
      if (time.isOver()) return false;
      await eraseToldOf(options, orgId, { hours, named: time.isRunning ? undefined : named }, erased);
      time.run();
      if (!(await anonymiseHours(options, orgId, { hours, nobodies, time }, erased))) return false;
    }
    // Sketches count only clicks, which never have an app's own visitor id.
    const keys = ids.filter(isVisitorKey).map(visitorNumber);
    const clicked = new Map(keys.map((key) => [key, nobodies.get(key) ?? randomKey()]));
    const inTransaction = (work: (tx: Statements) => Promise<void>) =>
      figuresInTurn(orgId, (tx) => work(statementsOn(tx)));
    await visits.eraseFromSketches(statements, inTransaction, orgId, clicked);
    erased.leads += await store.eraseLeads(statements, orgId, emails, ids);
    return anonymiseHours(options, orgId, { hours: last ? [last] : [], nobodies, time }, erased);
  }
}

/** Erases what names the visits of these hours elsewhere and, in a call's first round, what names the visitor. */
async function eraseToldOf(
  { db, visits }: PrivacyOptions,
  orgId: OrgId,
  { hours, named }: { hours: VisitorHour[]; named: Named | undefined },
  erased: Counts,
): Promise<void> {
  const statements = statementsOn(db);
  const all = named?.hourOfClick ? [...hours, named.hourOfClick] : hours;
  const idsIn = async (table: VisitorHour["table"]) => {
    const own = all.filter((hour) => hour.table === table);
    return (await Promise.all(own.map((hour) => visits.idsOf(statements, orgId, hour)))).flat();
  };
  const clickIds = await idsIn("clicks");
  // Customers send back the ids that destinations got, and some of their programs write them in capitals.
  const told = { clickIds: [...clickIds, ...clickIds.map((id) => id.toUpperCase())], openIds: await idsIn("opens") };
  await eraseTold(statements, orgId, { visitorIds: named?.ids ?? [], ...told }, erased);
}

/** Returns false if the time was over before all were done. */
async function anonymiseHours(
  { figuresInTurn, visits, visitorSecret }: PrivacyOptions,
  orgId: OrgId,
  { hours, nobodies, time }: { hours: VisitorHour[]; nobodies: ReadonlyMap<bigint, bigint>; time: CallTime },
  erased: Counts,
): Promise<boolean> {
  for (const hour of hours) {
    if (time.isOver()) return false;
    const to = { nobody: nobodies.get(hour.visitor) ?? randomKey(), secret: visitorSecret };
    erased[hour.table] += await figuresInTurn(orgId, (tx) => visits.anonymise(statementsOn(tx), orgId, hour, to));
    time.hoursDone++;
  }
  return true;
}

/** The time that one call has. It is over only once an hour was done, so that each call gets further. */
interface CallTime {
  hoursDone: number;
  isRunning: boolean;
  /** Begins to count, unless it has. */
  run(): void;
  isOver(): boolean;
}

function startTime(deadlineMs: number, stopwatch: () => number): CallTime {
  let endsAt = Number.POSITIVE_INFINITY;
  return {
    hoursDone: 0,
    isRunning: false,
    run() {
      if (!this.isRunning) endsAt = stopwatch() + deadlineMs;
      this.isRunning = true;
    },
    isOver() {
      return this.hoursDone > 0 && stopwatch() > endsAt;
    },
  };
}

/**
 * Yields the hours in which the visitors visited but `last`, the oldest months first, about `HOURS_AT_ONCE` at a time.
 * Yields at least once. What it has yielded must have been anonymized before it is asked for more, or it finds that
 * again.
 */
async function* roundsOfHours(
  visits: ErasableVisits,
  statements: Statements,
  { orgId, visitors, last }: { orgId: OrgId; visitors: readonly bigint[]; last: VisitorHour | undefined },
): AsyncGenerator<VisitorHour[]> {
  let round: VisitorHour[] = [];
  for (const month of await visits.monthsOfVisits(statements, orgId)) {
    for (let found = HOURS_AT_ONCE; found >= HOURS_AT_ONCE; ) {
      const hours = await visits.findVisitorHours(statements, { orgId, visitors, month, limit: HOURS_AT_ONCE });
      round.push(...hours.filter((hour) => !(last && isSameHour(hour, last))));
      found = hours.length;
      if (round.length < HOURS_AT_ONCE) continue;
      yield round;
      round = [];
    }
  }
  yield round;
}

const isSameHour = (one: VisitorHour, other: VisitorHour): boolean =>
  one.table === other.table && one.linkId === other.linkId && one.hour === other.hour && one.visitor === other.visitor;

/** Erases what names the visitors or the opens elsewhere than in visits. */
async function eraseTold(statements: Statements, orgId: OrgId, told: Told, erased: Counts): Promise<void> {
  const { visitorIds, clickIds, openIds } = told;
  const named = [...visitorIds, ...clickIds];
  if (named.length + openIds.length > 0) erased.deliveries += await eraseDeliveries(statements, orgId, told);
  if (openIds.length > 0) erased.claims += await store.eraseClaims(statements, orgId, openIds);
  if (clickIds.length > 0) await store.eraseClicksOfClaims(statements, orgId, clickIds);
  if (named.length === 0) return;
  erased.events += await store.eraseEvents(statements, orgId, named);
  await store.eraseAnswers(statements, orgId, named);
}

async function audit(db: Drizzle, tenant: Tenant, _id: string, erased: Counts): Promise<void> {
  const changes = Object.fromEntries(Object.entries(erased).map(([kind, to]) => [kind, { from: null, to }]));
  await recordAudit(db, tenant, { action: "privacy.erase", resourceType: "erasure", resourceId: _id, changes });
}

/** Whom a request names. */
interface Named {
  emails: readonly string[];
  /** The visitor's ids. */
  ids: string[];
  /** The hour of the click that `visitorId` is the id of. */
  hourOfClick: VisitorHour | undefined;
}

async function namedBy(
  { db, visits }: PrivacyOptions,
  { orgId }: Tenant,
  visitorId: string | undefined,
  emails: readonly string[],
): Promise<Named> {
  const statements = statementsOn(db);
  const byEmail = emails.length === 0 ? [] : await store.visitorsByEmail(statements, orgId, emails);
  const given = visitorId === undefined ? [] : [visitorId];
  // Keys and ids are stored in lower case only.
  const stored = given.filter((id) => isVisitorKey(id) || isUuid(id)).map((id) => id.toLowerCase());
  const clickId = stored.find(isUuid);
  const hourOfClick = clickId === undefined ? undefined : await visits.findHourOfClick(statements, orgId, clickId);
  const byClick = hourOfClick ? [visitorKeyText(hourOfClick.visitor)] : [];
  return { emails, ids: [...new Set([...given, ...stored, ...byClick, ...byEmail])], hourOfClick };
}

const randomKey = (): bigint => new DataView(crypto.getRandomValues(new Uint8Array(8)).buffer).getBigInt64(0);
