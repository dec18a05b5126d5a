/**
 * Detects host names that imitate brands. Only signs that would stop a cautious reader count: a name written with
 * look-alike letters, a brand's whole domain in front of another one (`paypal.com.example.net`), or a brand next to a
 * word that asks for credentials (`paypal-login.example`). A brand's name on somebody else's domain is no sign by
 * itself, because shops, docs and communities use such names. A domain whose own name is the brand's counts as the
 * brand's under every suffix.
 */
import { isSingleScript } from "../names/scripts";
import type { Finding } from "./judge";
import type { SubjectHost } from "./subject";

const BRANDS = new Set(
  [
    "adobe amazon americanexpress apple bankofamerica binance blockchain capitalone citibank coinbase discord docusign",
    "dropbox facebook fedex github gmail google icloud instagram linkedin mastercard metamask microsoft netflix office365",
    "onedrive outlook paypal revolut roblox santander spotify steamcommunity steampowered telegram tiktok twitter walmart",
    "wellsfargo whatsapp yahoo",
  ].flatMap((names) => names.split(" ")),
);

/** Words on pages that are after credentials. */
const LURES = new Set(
  [
    "account accounts billing confirm confirmation login logon password payment recover recovery secure security signin",
    "unlock update verification verify wallet",
  ].flatMap((words) => words.split(" ")),
);

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
const LATIN = /\p{sc=Latin}/gu;

/** Suffixes under which brands have their domains. */
const GLOBAL = new Set(["com", "net", "org"]);
/** Hosts that belong to a brand although they look like someone else's. */
const OFFICIAL = new Set(["amazon.com.be"]);

/**
 * Letters that can pass for a Latin one (based on the confusables of Unicode UTS 39, for scripts used in host names).
 */
const LOOK_ALIKES = new Map(
  Object.entries({
    a: "аɑαàáâãäåāăą4",
    b: "ьƅ",
    c: "сϲçćč",
    d: "ԁɗďđ",
    e: "еєёèéêëēėęě3",
    g: "ɡցģğ",
    h: "һհ",
    i: "іїıìíîïīįι",
    j: "јʝ",
    k: "кκķ",
    l: "ӏḷľł1|",
    m: "мṃ",
    n: "ոñńňņη",
    o: "оοօöòóôõøōő0",
    p: "рρ",
    q: "ԛ",
    r: "гŕř",
    s: "ѕśšş5",
    t: "тτťţ",
    u: "υսüùúûūů",
    v: "νѵ",
    w: "ԝшω",
    x: "хχ",
    y: "уүýÿ",
    z: "ᴢźžż",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Returns what the eye reads: look-alikes as the letters they resemble, `rn` as `m`, `vv` as `w`. */
const skeleton = (text: string): string =>
  [...text]
    .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");

export function brandFindings(subject: SubjectHost): Finding[] {
  const { host, unicodeHost } = subject;
  const findings: Finding[] = [];
  if (!unicodeHost.split(".").every(isOrdinaryMix)) {
    findings.push({ id: "mixed_scripts", sentence: `${host} mixes writing systems within a word` });
  }
  const imitated = imitatedBrand(subject);
  if (imitated) findings.push({ id: "brand_lookalike", sentence: `${host} can be mistaken for ${imitated}` });
  const named = foreignBrand(subject);
  if (named)
    findings.push({ id: "brand_in_foreign_host", sentence: `${host} contains ${named} but is not its domain` });
  return findings;
}

/** True if the label has one script. Japanese, Korean and Chinese names may also contain Latin letters. */
const isOrdinaryMix = (label: string): boolean =>
  isSingleScript(EAST_ASIAN.test(label) ? label.replace(LATIN, "") : label);

/** Returns a brand that some word of the host resembles without being spelled like it. */
function imitatedBrand({ unicodeHost, unicodeName }: SubjectHost): string | undefined {
  if (unicodeName === null || BRANDS.has(unicodeName)) return undefined;
  const words = unicodeHost.split(/[.-]/);
  for (const word of words) {
    const read = skeleton(word);
    if (read !== word && BRANDS.has(read) && !BRANDS.has(word)) return read;
  }
  return undefined;
}

/** Returns a brand that is named where it suggests trust, on a domain that is not the brand's. */
function foreignBrand({ host, domain, unicodeName }: SubjectHost): string | undefined {
  if (domain === null || unicodeName === null || BRANDS.has(unicodeName) || OFFICIAL.has(host.replace("www.", ""))) {
    return undefined;
  }
  const labels = host.slice(0, -domain.length).split(".").filter(Boolean);
  const whole = labels.find((label, index) => BRANDS.has(label) && GLOBAL.has(labels[index + 1] ?? ""));
  return whole ?? [...labels, unicodeName].map(brandBesideLure).find((brand) => brand !== undefined);
}

function brandBesideLure(label: string): string | undefined {
  const words = label.split("-");
  return words.some((word) => LURES.has(word)) ? words.find((word) => BRANDS.has(word)) : undefined;
}
