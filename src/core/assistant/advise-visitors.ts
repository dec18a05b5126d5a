/** Who comes and when: devices, countries, languages, hours and weekdays. */
import { DAY_MS, HOUR_MS } from "../time-range";
import { CLICKS_MIN } from "./conversion";
import { type Breakdown, shareSentence, valuesOf } from "./figures";
import type { IntentName } from "./intents";
import { shareOf } from "./intervals";
import type { Advise, Recommendation, Situation } from "./recommendation";

const HANDHELDS = ["mobile", "tablet"];
const APP_INTENTS: IntentName[] = ["installs", "engagement", "retention"];
const LANGUAGE_SHARE_MIN = 0.1;
const COUNTRY_SHARE_MIN = 0.5;
const BLOCK_HOURS = 3;
const DAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
const WEEKS = 4;

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
      title: `Make the way on ${first.name} the shortest`,
      rationale: `Most clicks come from ${first.name}.`,
      action: wantsApp
        ? "Give the links an app profile, so that those who have the app land in it and the others in its store."
        : "Open the destination on a phone yourself, and lead phones to a lighter page by a rule where it is slow.",
      priority: wantsApp ? "high" : "medium",
      evidence,
    };
  }
  return {
    title: `Serve ${first.name} first`,
    rationale: `Most clicks come from ${first.name}.`,
    action: wantsApp
      ? "Show a QR code at the destination, so that visitors go on with their phone."
      : "Judge the destination on a large screen first.",
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
    title: `Lead those who read ${second.name} to a page of theirs`,
    rationale: `After ${first.name} most visitors prefer ${second.name}.`,
    action: `Add a rule with the language ${second.name} to the links, with a destination in that language.`,
    priority: "medium",
    evidence: [shareSentence(first.name, leading), shareSentence(second.name, share)],
  };
};

export const adviseCountry: Advise = ({ figures: { current, previous } }) => {
  if (current.totalClicks < CLICKS_MIN) return undefined;
  const [first] = valuesOf(current, "country");
  const share = first && shareOf(first.count, current.totalClicks);
  if (!first || !share || share.low < COUNTRY_SHARE_MIN) return undefined;
  return {
    title: `Plan for ${first.name} first`,
    rationale: `Most clicks come from ${first.name}.`,
    action: `Fit offer, currency and times to ${first.name}, and lead other countries elsewhere by a rule where it does not fit.`,
    priority: "low",
    evidence: [shareSentence(first.name, share), ...beforeSentence(first.name, "country", previous)],
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

/** Blocks of three hours of UTC over the last three days: each stands nine times. */
export const adviseHours: Advise = ({ figures: { hours } }) => {
  const block = (at: number) => Math.floor((at % DAY_MS) / (BLOCK_HOURS * HOUR_MS));
  const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
  const slots = slotsOf(
    hours.timeseries,
    block,
    Array.from({ length: 24 / BLOCK_HOURS }, (_, index) => clock(index * BLOCK_HOURS)),
  );
  return adviseSlot(slots, {
    title: (name) => `Publish shortly before ${name} UTC`,
    subject: (name) => `From ${name} UTC, for three hours`,
    span: "the last three days",
  });
};

/** Whole days of UTC of the last four weeks: each weekday stands four times. */
export const adviseWeekday: Advise = ({ figures: { current } }) => {
  const wholeDays = current.timeseries.slice(0, -1).slice(-7 * WEEKS);
  if (wholeDays.length < 7 * WEEKS) return undefined;
  return adviseSlot(
    slotsOf(wholeDays, (at) => new Date(at).getUTCDay(), DAYS),
    {
      title: (name) => `Publish on ${name}`,
      subject: (name) => `On ${name}`,
      span: "the last four weeks",
    },
  );
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

interface SlotWords {
  title(name: string): string;
  subject(name: string): string;
  span: string;
}

/** By how much a slot has to lie above an even spread, beyond chance. */
const SLOT_MIN = 1.2;

/** A slot stands out whose share lies with its whole interval well above that of an even spread. */
function adviseSlot(slots: Slot[], { title, subject, span }: SlotWords): Recommendation | undefined {
  const total = slots.reduce((sum, { clicks }) => sum + clicks, 0);
  const [first] = slots.toSorted((a, b) => b.clicks - a.clicks);
  const share = first && shareOf(first.clicks, total);
  if (!first || !share || total < CLICKS_MIN || share.low <= SLOT_MIN / slots.length) return undefined;
  return {
    title: title(first.name),
    rationale: "More clicks come then than an even spread would have, by more than chance explains.",
    action: "Time the next posts and mails so, and leave one at another time to compare.",
    priority: "low",
    evidence: [
      `${shareSentence(subject(first.name), share)} in ${span}`,
      `${first.conversions} installs, leads and events at those times`,
    ],
  };
}
