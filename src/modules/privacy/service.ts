/**
 * Erases a visitor: all data about one person goes, figures stay. It runs in short transactions, ends early past
 * `deadlineMs` and then reports so; the next call finds what is left, and a call with nothing left changes nothing.
 *
 * Visits are anonymized in rounds of visitor-hours. Anonymous visits have lost the ids by which deliveries and events
 * name them, so those of a round are erased first. That takes one scan of all deliveries, whose number has no bound:
 * `deadlineMs` counts from the end of a call's first scan, and a call anonymizes at least one hour, so that each gets
 * further than the one before.
 *
 * Within one call, each key of the visitor is replaced with a random one that is stored nowhere else: visits of one
 * person still count as one person's, but nobody can find out again whose they were. The audit log records that there
 * was an erasure and of how much, never of whom.
 */
import type { PrivacyErasure, PrivacyErasureInput } from "@/contract/accounts/privacy";
import type { OrgId, Tenant } from "@/core/ids";
import { figuresBusy, invalid } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { type Statements, statementsOn } from "@/platform/db/statements";
import { emailSpellings } from "@/platform/hosts/email-address";
import { type VisitorSecret, visitorNumber } from "@/platform/visitor";
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
  const { db, clock, visitorSecret, visits, deadlineMs = DEADLINE_MS, stopwatch = () => performance.now() } = options;
  return {
    /** Throws 400 if the input names nobody, 503 if click writers do not release the figures in time. */
    async erase(tenant: Tenant, { visitorId, email }: PrivacyErasureInput): Promise<PrivacyErasure> {
      if (visitorId === undefined && email === undefined) throw invalid(["visitorId: visitorId or email is required"]);
      const [_id, emails] = [Bun.randomUUIDv7(), email === undefined ? [] : emailSpellings(email)];
      const ids = await visitorIdsOf(db, tenant, visitorId, emails);
      const erased = { clicks: 0, opens: 0, claims: 0, events: 0, leads: 0, deliveries: 0 };
      try {
        const isComplete = await eraseVisits(tenant, ids, erased);
        // Leads last: they show whose visits an email stands for, so that after a call that ended early the next
        // finds them again.
        if (isComplete) erased.leads = await store.eraseLeads(statementsOn(db), tenant.orgId, emails, ids);
        return { _id, erased, isComplete };
      } catch (error) {
        if (isLockTimeout(error)) throw figuresBusy();
        throw error;
      } finally {
        await audit(db, tenant, _id, erased);
      }
    },
  };

  /** Returns whether it finished in time. */
  async function eraseVisits({ orgId }: Tenant, ids: string[], erased: Counts): Promise<boolean> {
    const [statements, to] = [statementsOn(db), clock()];
    const from = await store.findStart(statements, orgId);
    const visitors = ids.flatMap((id) => keysOf(visitorSecret, id, { orgId, from, to }));
    const nobodies = new Map(visitors.map((key) => [key, randomKey()]));
    let endsAt: number | undefined;
    let hoursDone = 0;
    const isLate = () => hoursDone > 0 && stopwatch() > (endsAt ?? Number.POSITIVE_INFINITY);
    for await (const hours of roundsOfHours(visits, statements, orgId, visitors)) {
      if (isLate()) return false;
      const idsIn = async (table: VisitorHour["table"]) => {
        const own = hours.filter((hour) => hour.table === table);
        return (await Promise.all(own.map((hour) => visits.idsOf(statements, orgId, hour)))).flat();
      };
      const told = { clickIds: await idsIn("clicks"), openIds: await idsIn("opens") };
      await eraseTold(statements, orgId, { visitorIds: endsAt === undefined ? ids : [], ...told }, erased);
      endsAt ??= stopwatch() + deadlineMs;
      for (const hour of hours) {
        if (isLate()) return false;
        const to = { nobody: nobodies.get(hour.visitor) ?? randomKey(), secret: visitorSecret };
        erased[hour.table] += await db.transaction((tx) => visits.anonymise(statementsOn(tx), orgId, hour, to));
        hoursDone++;
      }
    }
    // Sketches count only clicks, which never have an app's own visitor id.
    const keys = ids.filter(isVisitorKey).map(visitorNumber);
    const clicked = new Map(keys.map((key) => [key, nobodies.get(key) ?? randomKey()]));
    const inTransaction = (work: (tx: Statements) => Promise<void>) => db.transaction((tx) => work(statementsOn(tx)));
    await visits.eraseFromSketches(statements, inTransaction, orgId, clicked);
    return true;
  }
}

/**
 * Yields the hours in which the visitors visited, the oldest months first, about `HOURS_AT_ONCE` at a time. Yields at
 * least once. What it has yielded must have been anonymized before it is asked for more, or it finds that again.
 */
async function* roundsOfHours(
  visits: ErasableVisits,
  statements: Statements,
  orgId: OrgId,
  visitors: readonly bigint[],
): AsyncGenerator<VisitorHour[]> {
  let round: VisitorHour[] = [];
  for (const month of await visits.monthsOfVisits(statements, orgId)) {
    for (let found = HOURS_AT_ONCE; found >= HOURS_AT_ONCE; ) {
      const hours = await visits.findVisitorHours(statements, { orgId, visitors, month, limit: HOURS_AT_ONCE });
      round.push(...hours);
      found = hours.length;
      if (round.length < HOURS_AT_ONCE) continue;
      yield round;
      round = [];
    }
  }
  yield round;
}

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

async function visitorIdsOf(
  db: Drizzle,
  { orgId }: Tenant,
  visitorId: string | undefined,
  emails: readonly string[],
): Promise<string[]> {
  const byEmail = emails.length === 0 ? [] : await store.visitorsByEmail(statementsOn(db), orgId, emails);
  const named = visitorId === undefined ? [] : [visitorId];
  // Keys are stored in lower case only.
  return [...new Set([...named, ...named.filter(isVisitorKey).map((key) => key.toLowerCase()), ...byEmail])];
}

const randomKey = (): bigint => new DataView(crypto.getRandomValues(new Uint8Array(8)).buffer).getBigInt64(0);
