/**
 * Checks the safety of links: immediately, from memory only, in the transaction that creates a link or changes where
 * it leads; and in full, with Web Risk, in the background afterwards, on request, and periodically.
 *
 * A link is current or due (`safety_checked_at` is null, or older than `due` allows, or far ahead). A check reads the link, queries
 * outside any transaction, and writes its verdict only if the link is as it was read (its version and when it was last
 * checked). Otherwise it reads the link again, `TRIES_MAX` times in total, and queries only the URLs that it has no
 * result for yet. So a link edited meanwhile never gets the verdict of its former destinations, and a series of edits
 * does not keep it from being checked. If Web Risk does not respond, local sources decide, its previous results stand,
 * and the link is due again after `RETRY_MS`. A crash loses only the running checks.
 */
import type { Safety } from "@/contract/links/safety";
import { changesOf } from "@/core/changes";
import { type OrgId, SYSTEM, type Tenant } from "@/core/ids";
import { type LeadingLink, urlsOf } from "@/core/safety/destinations";
import { DAY_MS } from "@/core/time/time-range";
import { recordAudit } from "@/modules/audit-logs/service";
import { type Clock, latestBelieved } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Threat } from "@/platform/safety/web-risk";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { createSafetyQueue } from "./queue";
import { type Answers, type SafetySources, safetyOf } from "./sources";
import * as store from "./store";
import { createSweep } from "./sweep";
import { createUrlJudge } from "./url-judge";

const TRIES_MAX = 5;
const CHECK_EVERY_MS = DAY_MS;
/** Heuristics change with releases, and a changed blocklist triggers a sweep, so this only catches what was missed. */
const LOCAL_CHECK_EVERY_MS = 7 * DAY_MS;
/** Milliseconds until the next check if Web Risk did not respond. */
const RETRY_MS = 15 * 60_000;
const SAY_EVERY_MS = 60_000;

export interface SafetyCheckerOptions extends SafetySources {
  db: Db;
  clock: Clock;
  log: Log;
  changeRouting: ChangeRouting;
}

export interface CheckOptions {
  /** Ignores cached results of Web Risk. */
  isFresh?: boolean;
  /** Skips Web Risk: local sources decide, as if it did not respond. */
  isLocal?: boolean;
  /** Once aborted, the check no longer waits for Web Risk and ends with what is known. */
  timeout?: AbortSignal;
  /** Once aborted, the check rejects. */
  signal?: AbortSignal;
  /** Treats a bio page as not found. */
  isOfLink?: boolean;
}

export type SafetyChecker = ReturnType<typeof createSafetyChecker>;

export function createSafetyChecker(options: SafetyCheckerOptions) {
  const { db, clock, log, webRisk } = options;
  const sayUnanswered = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
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
   * Returns the safety columns of a link with these destinations, from what is known without any request; none if the
   * destinations have not changed. Takes a few microseconds per destination.
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

  /** Queues a check if the link needs one. Must be called after the change has committed. Returns immediately. */
  function enqueueCheck(orgId: OrgId, { id, safetyCheckedAt, deletedAt }: AwaitedLink): void {
    if (webRisk && safetyCheckedAt === null && deletedAt === null) queue.add({ id, orgId });
  }

  /** Checks a link with all sources. Resolves to undefined if there is no such link. Rejects if the signal aborts. */
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

  /** Returns the outcome, for the log. */
  async function recheck({ orgId, id }: store.DueJudgement, signal?: AbortSignal): Promise<Outcome> {
    const checked = await check(orgId, id, { signal });
    if (!checked) return "gone";
    return checked.isAnswered ? checked.safety.status : "unanswered";
  }

  function due(limit: number): Promise<store.DueJudgement[]> {
    const now = clock();
    return store.dueLinks(db, { before: new Date(now - checkEveryMs), ahead: latestBelieved(now) }, limit);
  }

  /** Adds the results of Web Risk for URLs without one, as far as it responds. Rejects if the signal aborts. */
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
  // Web Risk cleared these very destinations: if they had changed since, the link would no longer be `safe`.
  const isCleared = found.status === "unknown" && link.safety.status === "safe";
  return {
    safety: isCleared ? link.safety : found,
    safetyCheckedAt: new Date(now - checkEveryMs + RETRY_MS),
    isAnswered,
  };
}

/** Returns false if the link was changed since it was read. */
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
  /** True if all sources responded for all destinations. */
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

/** Verdicts are attributed to the system, whoever requested the check. */
const systemOf = (orgId: OrgId): Tenant => ({ orgId, actor: SYSTEM });
