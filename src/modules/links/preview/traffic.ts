/** `POST links/:linkId/preview/traffic`: routes the clicks that a link really had by rules that are not saved. */
import { setImmediate } from "node:timers/promises";
import { TRAFFIC_DAYS, type TrafficPreview, type TrafficPreviewInput } from "@/contract/links/traffic-preview";
import { isUuid, type Tenant } from "@/core/ids";
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import { routeUnderOtherRules } from "@/core/routing/replay";
import { notFound } from "@/http/errors";
import type { ClickSample, ReadClickSample } from "@/modules/analytics/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { LinkSource } from "@/platform/link-cache/source";
import { findLink } from "../store";
import type { UnsavedLink } from "./unsaved";

export interface TrafficPreviewOptions {
  db: Db;
  clock: Clock;
  source: LinkSource;
  unsaved: UnsavedLink;
  readClickSample: ReadClickSample;
}

export type TrafficPreviewer = ReturnType<typeof createTrafficPreview>;

/** Clicks evaluated per event-loop turn. The same thread serves redirects. */
const EVALUATED_A_TURN = 200;

export function createTrafficPreview({ db, clock, source, unsaved, readClickSample }: TrafficPreviewOptions) {
  /** Throws 404 for an unknown link, and 400 for invalid changes. */
  return async (tenant: Tenant, linkId: string, { link: changes, days }: TrafficPreviewInput) => {
    const saved = isUuid(linkId) ? await findLink(db, tenant.orgId, linkId) : undefined;
    if (!saved) throw notFound("link");
    const record = changes ? await unsaved(tenant, changes, saved, clock()) : saved;
    const link = compileLink(await source.ofRow(record.link));
    const asked = { linkId, days: days ?? TRAFFIC_DAYS.default, needsVersions: link.requestChecks !== null };
    return evaluated(link, await readClickSample(tenant.orgId, asked), tenant.signal);
  };
}

type Outcome = TrafficPreview["outcomes"][number];
interface Tally {
  count: number;
  weight: number;
}

async function evaluated(link: CompiledLink, sample: ClickSample, signal: AbortSignal | undefined) {
  const tallies = new Map<string, Tally>();
  for (const [place, { click, weight, version }] of sample.sampled.entries()) {
    if (place % EVALUATED_A_TURN === EVALUATED_A_TURN - 1) await setImmediate(undefined, { signal });
    const route = routeUnderOtherRules(link, click, { keptFor: sample.askedBy(version), isOld: version === null });
    const key = route ? keyOf(route) : UNKNOWN;
    const tally = tallies.get(key) ?? { count: 0, weight: 0 };
    tallies.set(key, { count: tally.count + 1, weight: tally.weight + weight });
  }
  return presentTraffic(link, sample, (key) => tallies.get(key) ?? { count: 0, weight: 0 });
}

function presentTraffic(link: CompiledLink, sample: ClickSample, tallyOf: (key: string) => Tally): TrafficPreview {
  const { from, to, clicks, sampled } = sample;
  const evaluated = sampled.length;
  const whole = sum(sampled.map(({ weight }) => weight));
  const shareOf = ({ count, weight }: Tally) => ({ count, share: whole === 0 ? 0 : Math.min(1, weight / whole) });
  const isWhole = evaluated >= clicks;
  return {
    range: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    ...{ clicks, evaluated },
    method: evaluated === 0 ? "none" : isWhole ? "all" : "sample",
    marginOfError: isWhole ? 0 : marginOf(sampled),
    outcomes: outcomesOf(link).map((outcome) => ({ ...outcome, ...shareOf(tallyOf(keyOf(outcome))) })),
    unknown: shareOf(tallyOf(UNKNOWN)),
  };
}

const NORMAL_95 = 1.96;
const DIGITS = 1e4;

/**
 * Returns the margin of error of a share of one half, which has the widest interval. Clicks of unequal weight carry
 * less information than the same number of equal weight.
 */
function marginOf(sampled: ClickSample["sampled"]): number {
  const weights = sampled.map(({ weight }) => weight);
  const squares = sum(weights.map((weight) => weight * weight));
  if (squares === 0) return 1;
  return Math.min(1, Math.ceil((NORMAL_95 * 0.5 * DIGITS * Math.sqrt(squares)) / sum(weights)) / DIGITS);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type Decided = Pick<Outcome, "kind" | "ruleIndex" | "splitKey">;

const UNKNOWN = "unknown";
const keyOf = ({ kind, ruleIndex, splitKey }: Decided): string => `${kind} ${ruleIndex ?? splitKey ?? ""}`;

function outcomesOf({ definition }: CompiledLink): Decided[] {
  const none = { ruleIndex: null, splitKey: null };
  return [
    ...definition.rules.map((_, ruleIndex) => ({ ...none, kind: "rule" as const, ruleIndex })),
    ...definition.splitTargets.map(({ key }) => ({ ...none, kind: "split" as const, splitKey: key })),
    { ...none, kind: "store" },
    { ...none, kind: "default" },
  ];
}
