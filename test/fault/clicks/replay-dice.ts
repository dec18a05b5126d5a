/**
 * Random links, apps and visitors from a seed: rules with every kind of condition, and visitors who match some of
 * them.
 */
import { PLATFORMS } from "@/contract/platforms";
import type { RoutingRule, SplitTarget } from "@/contract/routing";

const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; SM-G960F) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.6 Safari/605.1.15",
  "Mozilla/5.0 (PlayStation 5/SmartTV) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "curl/8.5.0",
  "",
];
const LANGUAGES = ["de", "de-AT", "en", "en-GB", "fr-CA", "pt_BR", "zh-Hant-TW", "ja", "sr-Latn", "x"];
const COUNTRIES = ["DE", "GB", "US", "FR", "JP", "BR", "AU"];
const BROWSERS = ["Mobile Safari", "Chrome", "Mobile Chrome", "Firefox", "safari", "Samsung Browser"];
const VERSIONS = ["10", "14", "16.6", "17.4", "17.4.1"];
/** Networks with a location in the database, and some without. */
const ADDRESSES = [
  "81.2.69",
  "8.8.8",
  "133.11.93",
  "200.147.3",
  "1.1.1",
  "193.99.144",
  "24.48.0",
  "10.0.0",
  "203.0.113",
];
const NETWORKS = ["81.2.69.0/24", "8.0.0.0/6", "0.0.0.0/0", "10.0.0.0/8", "203.0.113.128/25", "2001:db8::/32"];
/** Names of the query parameters that visitors send. */
export const PARAMETERS = ["src", "a b", "ß", "x&y"];
const VALUES = ["tv", "1", "a b", "50%", "日本"];
const REFERRERS = [
  "https://news.example.com/a?b=c",
  "https://EXAMPLE.com",
  "https://badexample.com/",
  "android-app://com.google.android.gm/",
  "not a url",
];
const DESTINATIONS = 40;

export class ReplayDice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns the next random number (Mulberry32), from 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error("There is nothing to choose from");
    return item;
  }

  some<Item>(items: readonly Item[]): Item[] {
    return [this.pick(items), ...(this.chance(0.5) ? [this.pick(items)] : [])];
  }

  routing() {
    return {
      defaultUrl: this.#destination(),
      rules: Array.from({ length: Math.floor(this.next() * 5) }, () => this.#rule()),
      splitTargets: this.chance(0.5) ? ["a", "b", "c"].map((key) => this.#target(key)) : [],
    };
  }

  app() {
    const number = Math.floor(this.next() * 1e6);
    return {
      fallback: this.pick(["store", "store", "web"]),
      ios: this.chance(0.7) ? { appStoreId: `${100_000_000 + number}` } : null,
      android: this.chance(0.7) ? { packageName: `com.example.app${number}` } : null,
    };
  }

  visitor(addressHeader: string): Record<string, string> {
    const agent = this.pick(AGENTS);
    const list = this.some([...LANGUAGES, "*"]).map((tag) => `${tag};q=${this.pick(["1", "0.95", "0.9", "0.8", "0"])}`);
    return {
      "user-agent": this.chance(0.05) ? `${agent} ${"Padding/1.0 ".repeat(60)}${this.next()}` : agent,
      "accept-language": this.chance(0.05) ? `${"de-AT;q=0.9,".repeat(25)}${list.join(",")},en` : list.join(","),
      ...(this.chance(0.5) && { referer: this.pick(REFERRERS) }),
      [addressHeader]: `${this.pick(ADDRESSES)}.${Math.floor(this.next() * 256)}`,
    };
  }

  /** Returns the query of a short URL, beginning with `?`, or an empty string. */
  query(): string {
    if (this.chance(0.5)) return "";
    const pairs = this.some(PARAMETERS).map((name): [string, string] => [name, this.pick([...VALUES, "other", ""])]);
    return `?${new URLSearchParams(pairs)}`;
  }

  #destination(): string {
    return `https://example.com/${Math.floor(this.next() * DESTINATIONS)}?from=link`;
  }

  #target(key: string): SplitTarget {
    const weight = Math.floor(this.next() * 4);
    return { key, destinationUrl: this.#destination(), weight, isActive: this.chance(0.9) };
  }

  #rule(): RoutingRule {
    const conditions = {
      ...(this.chance(0.2) && { platform: this.some(PLATFORMS) }),
      ...(this.chance(0.2) && { deviceTypes: this.some(["mobile", "tablet", "desktop", "console"]) }),
      ...(this.chance(0.2) && { browsers: this.some(BROWSERS) }),
      ...(this.chance(0.1) && { deviceVendors: this.some(["Apple", "samsung", "Google"]) }),
      ...(this.chance(0.1) && { deviceModels: this.some(["iPhone", "Pixel 8", "SM-G960F"]) }),
      ...(this.chance(0.2) && { countries: this.some(COUNTRIES) }),
      ...(this.chance(0.1) && { regions: this.some(["England", "California", "Tokyo", "Queensland"]) }),
      ...(this.chance(0.1) && { cities: this.some(["London", "Mountain View", "Tokyo", "Brisbane"]) }),
      ...(this.chance(0.3) && { languages: this.some(["de", "en", "en-GB", "zh-Hant-TW", "pt-BR", "fr"]) }),
      ...(this.chance(0.1) && { minOsVersion: this.pick(VERSIONS) }),
      ...(this.chance(0.1) && { maxOsVersion: this.pick(VERSIONS) }),
      ...(this.chance(0.3) && { startTime: this.#time(), endTime: this.#time() }),
      ...(this.chance(0.2) && { daysOfWeek: this.some([0, 1, 2, 3, 4, 5, 6]) }),
      ...(this.chance(0.1) && {
        [this.pick(["after", "before"])]: new Date(Date.now() + 60_000 * (this.next() - 0.5)).toISOString(),
      }),
      ...(this.chance(0.15) && {
        query: [{ name: this.pick(PARAMETERS), values: this.chance(0.7) ? this.some(VALUES) : undefined }],
      }),
      ...(this.chance(0.15) && {
        referrers: this.some(["example.com", "news.example.com", "com.google.android.gm", "direct"]),
      }),
      ...(this.chance(0.15) && { addresses: this.some(NETWORKS) }),
    };
    return { priority: Math.floor(this.next() * 5), destinationUrl: this.#destination(), conditions };
  }

  #time(): string {
    const pad = (part: number) => String(Math.floor(part)).padStart(2, "0");
    return `${pad(this.next() * 24)}:${pad(this.next() * 60)}`;
  }
}
