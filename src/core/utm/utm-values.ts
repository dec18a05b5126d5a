/**
 * Decides which part of a campaign's description becomes which UTM value. A value given explicitly wins, then an
 * alias for it, then inference: the source from a channel that names a place, the medium from the source, the
 * campaign from the title.
 */
import type { UtmGenerationInput } from "@/contract/links/utm";
import type { Utm } from "@/contract/routing";
import { paidOf, placeOf } from "./utm-places";
import { utmSlug } from "./utm-slug";

export type UtmPart = keyof Utm;
export type How = "given" | "alias" | "inferred";
export type UtmWords = Omit<UtmGenerationInput, "destinationUrl">;

export interface FoundValue {
  /** A slug, never empty. */
  value: string;
  how: How;
  /** The text from which the value was made. */
  text: string;
  /** Origin of the text, worded to follow the value. */
  from: string;
}

export type UtmValues = Partial<Record<UtmPart, FoundValue>>;

export function utmValuesOf(words: UtmWords): UtmValues {
  const channel = alias(words, "channel");
  const source = given(words, "source") ?? platformSource(words) ?? channelSource(channel);
  const medium = given(words, "medium") ?? channelMedium(channel, source) ?? impliedMedium(source);
  const campaign = given(words, "campaign") ?? alias(words, "campaignName") ?? found(words.title, "inferred", "title");
  const [ownTerm, ownContent] = [
    given(words, "term") ?? alias(words, "keyword"),
    given(words, "content") ?? creative(words),
  ];
  const audience = alias(words, "audience");
  const values = { source, medium, campaign, term: ownTerm ?? audience, content: ownContent ?? (ownTerm && audience) };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function found(text: string | undefined, how: How, field: string): FoundValue | undefined {
  const value = utmSlug(text ?? "");
  return text && value ? { value, how, text, from: `from ${field} ${JSON.stringify(text)}` } : undefined;
}

const alias = (words: UtmWords, field: keyof UtmWords) => found(words[field], "alias", field);

function given(words: UtmWords, part: UtmPart): FoundValue | undefined {
  const own = found(words[part], "given", part);
  return own && { ...own, from: "as given" };
}

/** Maps a known place to the source under which it is usually counted: `Google Ads` to `google`. */
function platformSource(words: UtmWords): FoundValue | undefined {
  const platform = alias(words, "platform");
  return platform && { ...platform, value: placeOf(platform.value)?.source ?? platform.value };
}

/**
 * Returns the place that a channel names (`Instagram`) as the source. `email` names both a place and a kind of
 * channel, and then counts only as a medium.
 */
function channelSource(channel: FoundValue | undefined): FoundValue | undefined {
  const place = channel && placeOf(channel.value);
  return place && place.source !== place.medium ? { ...channel, value: place.source, how: "inferred" } : undefined;
}

/** A channel that only says whether something is paid applies to the place that the source names. */
function channelMedium(channel: FoundValue | undefined, source: FoundValue | undefined): FoundValue | undefined {
  if (!channel) return undefined;
  const isPaid = paidOf(channel.value);
  if (isPaid === null) {
    const place = placeOf(channel.value);
    const value = place ? place.medium : channel.value;
    return value === null ? undefined : { ...channel, value };
  }
  const place = source && placeOf(utmSlug(source.text), isPaid);
  return { ...channel, value: place?.medium ?? (isPaid ? "paid" : "organic") };
}

function impliedMedium(source: FoundValue | undefined): FoundValue | undefined {
  const medium = source && placeOf(utmSlug(source.text))?.medium;
  return medium
    ? { value: medium, how: "inferred", text: source.text, from: `the usual one for ${source.value}` }
    : undefined;
}

/** Combines creative and variant, which distinguishes the variants of one creative. */
function creative(words: UtmWords): FoundValue | undefined {
  const both = [alias(words, "creative"), alias(words, "variant")].filter((one) => one !== undefined);
  const [first, second] = both;
  if (!first || !second) return first;
  const text = `${first.text} ${second.text}`;
  return { ...first, value: utmSlug(text), text, from: `${first.from} and ${second.from.replace("from ", "")}` };
}
