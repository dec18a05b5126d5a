/**
 * Judges links. At once, by memory alone, in the transaction that makes a link or changes where it leads; in full, with
 * Web Risk, behind that answer, on request and from time to time.
 *
 * A link is current, or to be looked at (`safety_checked_at` null, or older than `due` allows). A look reads the link, asks
 * outside any transaction, and writes what it found only if the link is as it was read (its version and when it was last
 * looked at); else it reads anew, `TRIES_MAX` times, and asks about what it has no answer for yet. So an edit meanwhile is
 * never judged by its former destinations, and one edit after another does not keep a link from being judged.
 * Where Web Risk did not answer, local sources decide, what it said before stands, and the link is due again in
 * `RETRY_MS`. A crash loses nothing but a look under way.
 */
import type { Safety } from "@/contract/links/safety";
import { changesOf } from "@/core/changes";
import type { OrgId, Tenant } from "@/core/ids";
import { type LeadingLink, urlsOf } from "@/core/safety/destinations";
import { DAY_MS } from "@/core/time/time-range";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Threat } from "@/platform/safety/web-risk";
import type { Log } from "@/platform/telemetry/log";
import { rarely } from "@/platform/telemetry/rarely";
import { createSafetyQueue } from "./queue";
import { type Answers, type SafetySources, safetyOf } from "./sources";
import * as store from "./store";
import { createSweep } from "./sweep";
import { createUrlJudge } from "./url-judge";

const TRIES_MAX = 5;
const CHECK_EVERY_MS = DAY_MS;
/** Signs and blocklist change with releases and with the file, which is swept for; so this only catches what was missed. */
const LOCAL_CHECK_EVERY_MS = 7 * DAY_MS;
/** After a look that Web Risk did not answer. */
const RETRY_MS = 15 * 60_000;
const SAY_EVERY_MS = 60_000;

export interface SafetyCheckerOptions extends SafetySources {
  db: Db;
  clock: Clock;
  log: Log;
  changeRouting: ChangeRouting;
}

export interface CheckOptions {
  /** What Web Risk said a while ago is not enough. */
  isFresh?: boolean;
  /** Web Risk is not asked: local sources decide, as where it does not answer. */
  isLocal?: boolean;
  /** Once aborted, Web Risk is no longer waited for: the check ends with what is known. */
  timeout?: AbortSignal;
  /** Once aborted, the check comes to nothing. */
  signal?: AbortSignal;
  /** A bio page is no link: the look finds none. */
  isOfLink?: boolean;
}

export type SafetyChecker = ReturnType<typeof createSafetyChecker>;

export function createSafetyChecker(options: SafetyCheckerOptions) {
  const { db, clock, log, webRisk } = options;
  const sayUnanswered = rarely(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("Google Web Risk did not respond", { error, unsaid }),
  );
  const checkEveryMs = webRisk ? CHECK_EVERY_MS : LOCAL_CHECK_EVERY_MS;
  const queue = createSafetyQueue(({ orgId, id }, signal) => check(orgId, id, { signal }), log);
  const sweep = createSweep(options, check);

  const end = queue[Symbol.asyncDispose];
  const judging = { ...createUrlJudge(options), judgeLocally, noteChange, enqueueCheck };
  const isRemote = webRisk !== null;
  return { ...judging, check, recheck, due, sweep, isRemote, [Symbol.asyncDispose]: end };

  /**
   * The columns of a link that leads there, by what is known without asking anybody; none when it leads where it led
   * before. In a few microseconds a destination.
   */
  function judgeLocally(
    link: LeadingLink,
    before: (LeadingLink & { safety: Safety }) | null,
  ): Partial<store.SafetyVerdict> {
    const urls = urlsOf(link);
    if (before && Bun.deepEquals(urls, urlsOf(before))) return {};
    const now = clock();
    const safety = safetyOf(urls, options, { answers: new Map(), before: before?.safety ?? null, now });
    return { safety, safetyCheckedAt: webRisk ? null : new Date(now) };
  }

  /** To be called once it has committed that the link is to be looked at. Returns at once. */
  function enqueueCheck(orgId: OrgId, { id, safetyCheckedAt, deletedAt }: AwaitedLink): void {
    if (webRisk && safetyCheckedAt === null && deletedAt === null) queue.add({ id, orgId });
  }

  /** What all sources say now; undefined when there is no such link. Rejects when the signal ends it. */
  async function check(orgId: OrgId, id: string, how: CheckOptions = {}): Promise<LinkCheck | undefined> {
    const answers = new Map<string, Threat[]>();
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const link = await store.findJudgedLink(db, orgId, id);
      if (!link || (how.isOfLink && link.kind !== "link")) return undefined;
      await ask(urlsOf(link), how, answers);
      const verdict = verdictOn(options, checkEveryMs, link, answers);
      if (await keep(options, link, verdict)) return verdict;
    }
    throw new Error("A link kept changing while its safety was checked");
  }

  /** What the look came to, for the log. */
  async function recheck({ orgId, id }: store.DueJudgement, signal?: AbortSignal): Promise<Outcome> {
    const checked = await check(orgId, id, { signal });
    if (!checked) return "gone";
    return checked.isAnswered ? checked.safety.status : "unanswered";
  }

  function due(limit: number): Promise<store.DueJudgement[]> {
    return store.dueLinks(db, new Date(clock() - checkEveryMs), limit);
  }

  /** Adds what Web Risk says of those without an answer, as far as it says it. Rejects when the signal ended it. */
  async function ask(urls: readonly string[], how: CheckOptions, answers: Map<string, Threat[]>): Promise<void> {
    if (!webRisk || how.isLocal) return;
    const signal = AbortSignal.any([how.signal, how.timeout].filter((one) => one !== undefined));
    const askOne = async (url: string) => {
      answers.set(url, await webRisk.threatsOf(url, { isFresh: how.isFresh, signal }));
    };
    const outcomes = await Promise.allSettled(urls.filter((url) => !answers.has(url)).map(askOne));
    how.signal?.throwIfAborted();
    for (const outcome of outcomes) if (outcome.status === "rejected") sayUnanswered(outcome.reason);
  }
}

function verdictOn(
  options: SafetyCheckerOptions,
  checkEveryMs: number,
  link: store.JudgedLink,
  answers: Answers,
): LinkCheck {
  const { clock, webRisk } = options;
  const urls = urlsOf(link);
  const now = clock();
  const found = safetyOf(urls, options, { answers, before: link.safety, now });
  const isAnswered = !webRisk || urls.every((url) => answers.has(url));
  if (isAnswered) return { safety: found, safetyCheckedAt: new Date(now), isAnswered };
  // A link that Web Risk once cleared leads where it led then, or it would have been judged anew.
  const isCleared = found.status === "unknown" && link.safety.status === "safe";
  return {
    safety: isCleared ? link.safety : found,
    safetyCheckedAt: new Date(now - checkEveryMs + RETRY_MS),
    isAnswered,
  };
}

/** Whether the link was still as it was read. */
async function keep(
  { changeRouting }: SafetyCheckerOptions,
  link: store.JudgedLink,
  { safety, safetyCheckedAt }: LinkCheck,
): Promise<boolean> {
  return changeRouting(async (tx, changed) => {
    const version = await store.updateVerdict(tx, link, { safety, safetyCheckedAt });
    if (version === undefined) return false;
    await noteChange(tx, link.orgId, link, link.safety, safety);
    const { id, prefix: prefixKey, slug: slugKey, host: hostname } = link;
    if (version !== link.version) changed.link({ id, version, prefixKey, slugKey }, { hostname });
    return true;
  });
}

/** Writes the audit entry of a changed status, in the transaction that changed it. */
async function noteChange(tx: Db, orgId: OrgId, { id, kind }: Judged, before: Safety, after: Safety): Promise<void> {
  if (before.status === after.status) return;
  await recordAudit(tx, systemOf(orgId), {
    action: `${kind}.safety`,
    resourceType: kind,
    resourceId: id,
    changes: changesOf(audited(before), audited(after)),
  });
}

interface LinkCheck extends store.SafetyVerdict {
  /** Whether all sources have answered for all destinations. */
  isAnswered: boolean;
}

type Outcome = Safety["status"] | "unanswered" | "gone";

type Judged = Pick<store.JudgedLink, "id" | "kind">;

interface AwaitedLink {
  id: string;
  safetyCheckedAt: Date | null;
  deletedAt: Date | null;
}

const audited = ({ status, reasons }: Safety) => ({ status, reasons });

/** Verdicts are the sources', whoever asked for them. */
const systemOf = (orgId: OrgId): Tenant => ({
  orgId,
  actor: { type: "system", id: null, email: null, ip: null, userAgent: null },
});
