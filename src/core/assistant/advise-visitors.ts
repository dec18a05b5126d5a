/** Recommendations about visitors: their devices, languages and hours. Insights cover countries and weekdays. */
import { wilson } from "../insights/statistics/rates";
import { percent } from "../insights/words";
import { DAY_MS, HOUR_MS } from "../time/time-range";
import { CLICKS_MIN } from "./conversion";
import { type Breakdown, shareSentence, valuesOf } from "./figures";
import type { IntentName } from "./intents";
import { shareOf } from "./intervals";
import type { Advise, Recommendation, Situation } from "./recommendation";

const HANDHELDS = ["mobile", "tablet"];
const APP_INTENTS: IntentName[] = ["installs", "engagement", "retention"];
const LANGUAGE_SHARE_MIN = 0.1;
const BLOCK_HOURS = 3;

export const adviseDevice: Advise = ({ figures: { current, previous }, intent }) => {
  if (current.totalClicks < CLICKS_MIN) return undefined;
  const [first] = valuesOf(current, "device");
  const share = first && shareOf(first.count, current.totalClicks);
  if (!first || !share || share.low <= 0.5) return undefined;
  const before = beforeSentence(first.name, "device", previous);
  const evidence = [shareSentence(first.name, share), ...before];
  const isHandheld = HANDHELDS.includes(first.name);
  const wantsApp = APP_INTENTS.includes(intent.name);
  if (isHandheld) {
    return {
      title: `Design for ${first.name} first`,
      rationale: `Most of your clicks come from ${first.name} devices.`,
      action: wantsApp
        ? "Give the links an app profile: people who have the app open it, and everyone else goes to its store."
        : "Open the page on a phone yourself. If it is slow, send phones to a lighter page with a rule.",
      priority: wantsApp ? "high" : "medium",
      evidence,
    };
  }
  return {
    title: `Design for ${first.name} first`,
    rationale: `Most of your clicks come from ${first.name} devices.`,
    action: wantsApp
      ? "Show a QR code on the page so that visitors can continue on their phone."
      : "Check the page on a large screen before anything else.",
    priority: wantsApp ? "medium" : "low",
    evidence,
  };
};

export const adviseLanguage: Advise = ({ figures: { current } }) => {
  if (current.totalClicks < CLICKS_MIN) return undefined;
  const [first, second] = valuesOf(current, "language");
  const share = second && shareOf(second.count, current.totalClicks);
  const leading = first && shareOf(first.count, current.totalClicks);
  if (!first || !second || !leading || !share || share.low < LANGUAGE_SHARE_MIN) return undefined;
  return {
    title: `Give ${second.name} readers a page in their language`,
    rationale: `After ${first.name}, most of your visitors prefer ${second.name}.`,
    action: `Add a rule for the language ${second.name} to your links, with a page in that language as its destination.`,
    priority: "medium",
    evidence: [shareSentence(first.name, leading), shareSentence(second.name, share)],
  };
};

function beforeSentence(name: string, breakdown: Breakdown, previous: Situation["figures"]["previous"]): string[] {
  const was = valuesOf(previous, breakdown).find((value) => value.name === name);
  const share = previous.totalClicks >= CLICKS_MIN && was ? shareOf(was.count, previous.totalClicks) : undefined;
  return share ? [`30 days before: ${shareSentence(name, share)}`] : [];
}

interface Slot {
  name: string;
  clicks: number;
  conversions: number;
}

type Bucket = Situation["figures"]["current"]["timeseries"][number];

/** Compares blocks of three UTC hours over the last three days; each block covers nine of the hourly buckets. */
export const adviseHours: Advise = ({ figures: { hours } }) => {
  const block = (at: number) => Math.floor((at % DAY_MS) / (BLOCK_HOURS * HOUR_MS));
  const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
  const names = Array.from({ length: 24 / BLOCK_HOURS }, (_, index) => clock(index * BLOCK_HOURS));
  const days = Map.groupBy(hours.timeseries, (_, index) => Math.floor(index / 24));
  const byDay = [...days.values()].map((day) => slotsOf(day, block, names));
  return adviseSlot(slotsOf(hours.timeseries, block, names), byDay);
};

function slotsOf(buckets: Bucket[], slotOf: (at: number) => number, names: string[]): Slot[] {
  const slots = names.map((name): Slot => ({ name, clicks: 0, conversions: 0 }));
  for (const bucket of buckets) {
    const slot = slots[slotOf(Date.parse(bucket.at))];
    if (!slot) continue;
    slot.clicks += bucket.clicks;
    slot.conversions += bucket.installs + bucket.leads + bucket.events;
  }
  return slots;
}

/** Factor by which a block must exceed an even spread. */
const SLOT_MIN = 1.2;
/** Deviations for eight comparisons at a level of 1%, with Bonferroni's correction. */
const SLOT_Z = 3.02;

/** A block stands out if the whole interval of its share lies well above an even spread, and it does so on each day. */
function adviseSlot(slots: Slot[], byDay: Slot[][]): Recommendation | undefined {
  const total = clicksIn(slots);
  const [first] = slots.toSorted((a, b) => b.clicks - a.clicks);
  const share = first && shareOf(first.clicks, total);
  if (!first || !share || total < CLICKS_MIN) return undefined;
  const { low } = wilson(first.clicks, total, SLOT_Z);
  const isDaily = byDay.every((day) => {
    const own = day.find(({ name }) => name === first.name)?.clicks ?? 0;
    return own * day.length >= SLOT_MIN * clicksIn(day);
  });
  if (low <= SLOT_MIN / slots.length || !isDaily) return undefined;
  return {
    title: `Publish shortly before ${first.name} UTC`,
    rationale: "Most of your clicks come at that time, on each of the last three days.",
    action: "Schedule the next posts and mails for it, and send one at another time to compare.",
    priority: "low",
    evidence: [
      `${shareSentence(`From ${first.name} UTC, for three hours`, share)} in the last three days; an even spread has ${percent(1 / slots.length)}`,
      `${first.conversions} installs, leads and events in those hours`,
    ],
  };
}

const clicksIn = (slots: readonly Slot[]): number => slots.reduce((sum, { clicks }) => sum + clicks, 0);
