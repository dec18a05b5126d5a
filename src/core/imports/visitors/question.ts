/** What a condition of a rule asks, and the visitors who answer it in one way or the other. */
import { contains, mapAddress, type Network } from "@/core/networks";
import { ANDROID_PHONE, type CheckedVisitor, DESKTOP, DESKTOPS, type Device, IPHONE } from "./visitor";

/** Makes another visitor of one, who differs in what a condition asks. */
export type Change = (visitor: CheckedVisitor) => CheckedVisitor;

/** One condition. A rule is a list of them, all of which have to hold. */
export interface Question {
  /** Questions with the same key ask the same. */
  key: string;
  /** Of the visitors that these make, some meet the condition and some do not. None comes before `now`. */
  changes(now: number): readonly Change[];
  /** Returns null if it is unknown whether the condition holds. */
  holds(visitor: CheckedVisitor): boolean | null;
  /**
   * The countries that the usual devices have to come from to answer it, none if any will do; absent if they cannot
   * answer it.
   */
  countries?: readonly string[];
}

export type AskedRule = readonly Question[];

export const having =
  (facts: Partial<CheckedVisitor>): Change =>
  (visitor) => ({ ...visitor, ...facts });

export const havingDevice = (device: Device): Change => having(device);

/** Browsers that exist on some devices only. */
const DEVICE_OF_BROWSER: Readonly<Record<string, Device>> = {
  "Mobile Safari": IPHONE,
  Safari: DESKTOPS.macos,
  "Android Browser": ANDROID_PHONE,
  "Samsung Internet": ANDROID_PHONE,
  "Chrome WebView": ANDROID_PHONE,
};

/** `browser` is a name that our parser gives. */
export const havingBrowser = (browser: string): Change => having({ ...DEVICE_OF_BROWSER[browser], browser });

const asking =
  (name: string, value: string): Change =>
  (visitor) => ({ ...visitor, query: [...others(visitor, name), { name, value }] });

const withoutParameter =
  (name: string): Change =>
  (visitor) => ({ ...visitor, query: others(visitor, name) });

const others = ({ query }: CheckedVisitor, name: string) => query.filter((each) => each.name !== name);

/** With one of the values, another one, none, and without the parameter. Without values: with any value and with none. */
export const parameterChanges = (name: string, values: readonly string[]): Change[] => [
  ...(values.length > 0 ? values : ["1"]).map((value) => asking(name, value)),
  ...(values.length > 0 ? [asking(name, `${values.at(-1)}x`)] : []),
  ...[asking(name, ""), withoutParameter(name)],
];

/** What most people read, for those who do not read a language. */
const COMMON_LANGUAGES = ["en", "de"];
/** A region that goes with any language. */
const ANY_REGION = "US";

/** The language itself, in some region, without its region, and another one. */
export function languageChanges(tag: string): Change[] {
  const [language = tag, ...subtags] = tag.replaceAll("_", "-").split("-");
  const hasRegion = subtags.some((subtag) => /^(?:[a-z]{2}|\d{3})$/i.test(subtag));
  const other = COMMON_LANGUAGES.find((each) => each !== language.toLowerCase()) ?? "";
  return [
    (visitor) => ({ ...visitor, languages: [...visitor.languages, tag.replaceAll("_", "-")] }),
    ...(hasRegion ? [] : [having({ languages: [`${tag}-${ANY_REGION}`] })]),
    ...(subtags.length > 0 ? [having({ languages: [language] })] : []),
    having({ languages: [other] }),
  ];
}

const OUTSIDERS = ["192.0.2.1", "198.51.100.1", "203.0.113.1"];

/** The network's first address, the first one of its neighbour of the same size, and one from elsewhere. */
export function networkChanges(network: Network | undefined): Change[] {
  if (network === undefined) return [];
  const neighbour = neighbourOf(network);
  const outsider = OUTSIDERS.find((address) => !contains(network, mapAddress(address) ?? []));
  const addresses = [addressOf(network.start), neighbour && addressOf(neighbour), outsider];
  return addresses.flatMap((address) => (address ? [having({ address })] : []));
}

/** Flips the last bit of the prefix. Returns undefined for a network without one. */
function neighbourOf({ start, length }: Network): number | number[] | undefined {
  if (length === 0) return undefined;
  if (typeof start === "number") return (start ^ (1 << (32 - length))) >>> 0;
  const at = (length - 1) >> 3;
  return start.map((byte, index) => (index === at ? byte ^ (1 << (7 - ((length - 1) & 7))) : byte));
}

function addressOf(start: number | number[]): string {
  if (typeof start === "number") return [24, 16, 8, 0].map((shift) => (start >>> shift) & 255).join(".");
  const groups = Array.from(
    { length: start.length / 2 },
    (_, at) => (start[2 * at] ?? 0) * 256 + (start[2 * at + 1] ?? 0),
  );
  return groups.map((group) => group.toString(16)).join(":");
}

const MARGIN_MS = 1_000;

/** A moment before the instant and one after it, but none that has passed: no visit comes then. */
export const instantChanges = (instant: number | undefined, now: number): Change[] =>
  instant === undefined
    ? []
    : [instant - MARGIN_MS, instant + MARGIN_MS].filter((at) => at >= now).map((at) => having({ at }));

/** On the usual devices. */
export const DEVICE_CHANGES: readonly Change[] = [IPHONE, ANDROID_PHONE, DESKTOP].map(havingDevice);
