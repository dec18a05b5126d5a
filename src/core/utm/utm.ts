/**
 * Proposes UTM values and rates the proposal. Each value earns `POINTS` by its origin, and a destination ten. A
 * medium outside the default channels of Google Analytics 4 costs five points, and so does each value for which the
 * destination already has its own. The sum is the confidence.
 */
import type { Utm } from "@/contract/routing";
import { UTM_FIELDS } from "@/contract/utm-fields";
import { parameterOf } from "../query";
import { additionsOf } from "../routing/destination";
import { ownParametersOf, withAdditions } from "../routing/store";
import { hasDefaultChannel } from "./utm-places";
import { utmSlug } from "./utm-slug";
import { type FoundValue, type How, type UtmPart, type UtmValues, type UtmWords, utmValuesOf } from "./utm-values";

const POINTS: Record<UtmPart, Record<How, number>> = {
  source: { given: 30, alias: 25, inferred: 20 },
  medium: { given: 25, alias: 20, inferred: 15 },
  campaign: { given: 25, alias: 20, inferred: 15 },
  term: { given: 5, alias: 5, inferred: 5 },
  content: { given: 5, alias: 5, inferred: 5 },
};
const DESTINATION_POINTS = 10;
const FAULT_POINTS = -5;

const NEEDED: Partial<Record<UtmPart, string>> = {
  source: "use `source` or `platform` to say where visitors come from",
  medium: "use `medium` or `channel` to say what kind of channel they come by",
  campaign: "use `campaign`, `campaignName` or `title`",
};
const EMAIL = /\S@\S+\.\S/;

export interface UtmProposal {
  utm: Utm;
  /** The destination as visitors will see it; null if none is given. */
  previewUrl: string | null;
  /** 0 to 100. */
  confidence: number;
  rationale: string[];
  warnings: string[];
}

interface Reason {
  text: string;
  points: number;
}

/** `destination` is a normalized URL, or null. */
export function proposeUtm(words: UtmWords, destination: string | null): UtmProposal {
  const values = utmValuesOf(words);
  const utm: Utm = Object.fromEntries(entriesOf(values).map(([part, { value }]) => [part, value]));
  const displaced = entriesOf(values).filter(([part, { value }]) => (ownOf(destination, part) ?? value) !== value);
  const reasons = [
    ...entriesOf(values).map(([part, { value, how, from }]) => reason(`${part} "${value}" ${from}`, POINTS[part][how])),
    ...(destination === null ? [] : [reason("destinationUrl to preview it", DESTINATION_POINTS)]),
    ...(isUnsorted(utm) ? [reason(`medium "${utm.medium}" outside the default channels`, FAULT_POINTS)] : []),
    ...displaced.map(([part]) => reason(`${part} replaced by the destination's own`, FAULT_POINTS)),
  ];
  const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
  return {
    utm,
    previewUrl: destination === null ? null : withAdditions(destination, additionsOf(utm, null)),
    confidence: Math.max(0, points),
    rationale: reasons.map(({ text }) => text),
    warnings: [
      ...missing(values, destination),
      ...changed(values),
      ...(isUnsorted(utm) ? [`medium: "${utm.medium}" is not in Google Analytics 4's default channels`] : []),
      ...displaced.map(
        ([part]) => `${part}: the destination already has utm_${part}, "${ownOf(destination, part)}", which stays`,
      ),
      ...unfit(words, values),
    ],
  };
}

const reason = (text: string, points: number): Reason => ({
  text: `${text}: ${points > 0 ? "+" : ""}${points}`,
  points,
});

const entriesOf = (values: UtmValues): [UtmPart, FoundValue][] =>
  UTM_FIELDS.flatMap((part): [UtmPart, FoundValue][] => (values[part] ? [[part, values[part]]] : []));

const isUnsorted = ({ medium }: Utm): boolean => medium !== undefined && !hasDefaultChannel(medium);

/** Returns the destination's own value, which is never overwritten. */
const ownOf = (destination: string | null, part: UtmPart): string | undefined =>
  destination === null ? undefined : parameterOf(ownParametersOf(destination), `utm_${part}`);

const missing = (values: UtmValues, destination: string | null): string[] =>
  UTM_FIELDS.filter((part) => NEEDED[part] && !values[part] && !ownOf(destination, part)).map(
    (part) => `${part}: missing; ${NEEDED[part]}`,
  );

/** Reports changes only to values given explicitly; for the others, a change is expected. */
const changed = (values: UtmValues): string[] =>
  entriesOf(values)
    .filter(([, { how, text, value }]) => how === "given" && text !== value)
    .map(([part, { text, value }]) => `${part}: ${JSON.stringify(text)} was changed to "${value}"`);

function unfit(words: UtmWords, { term, content }: UtmValues): string[] {
  const texts = Object.entries(words).filter(([, text]) => text.trim() !== "");
  const empty = texts
    .filter(([, text]) => utmSlug(text) === "")
    .map(([field]) => `${field}: contains nothing that can be used as a UTM value`);
  const personal = texts
    .filter(([, text]) => EMAIL.test(text))
    .map(([field]) => `${field}: looks like an email address; do not put personal data in a URL`);
  const { audience } = words;
  const isUsed = !audience || !utmSlug(audience) || [term?.text, content?.text].includes(audience);
  return [...empty, ...personal, ...(isUsed ? [] : ["audience: not used; term and content are already set"])];
}
