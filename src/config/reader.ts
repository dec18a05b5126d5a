/** Reads settings from an environment by name, checks each, and collects what is wrong with them. */
import { isIP } from "node:net";
import type { Config } from "@/config";
import { parsePostgresUrl } from "@/platform/db/connection/postgres-url";
import { PostgresUrlError } from "@/platform/db/connection/postgres-url-error";
import { parseRedisUrl, RedisUrlError } from "@/platform/redis/redis-url";

const FLY_API_URL = "https://api.fly.io/graphql";
const WEB_RISK_API_URL = "https://webrisk.googleapis.com";
const TOKEN = { pattern: /^[!-~]+$/, expected: "expected letters, digits and symbols without spaces" };
/** Fly's tokens are lists. */
const SPACED_TOKEN = { pattern: /^[ -~]+$/, expected: "expected letters, digits, symbols and spaces on one line" };
const NAME_LENGTH_MAX = 253;

export type Env = Record<string, string | undefined>;

/** A reader of one environment. A faulty setting is recorded in `faults` and reads as its fallback. */
export class SettingsReader {
  readonly faults: string[] = [];
  /** Every name that was read. */
  readonly known = new Set<string>();
  /** Names whose values are in quotes: a shell removes them, but not everything else that sets variables. */
  readonly quoted = new Set<string>();
  constructor(private readonly env: Env) {}

  fault(name: string, expected: string): void {
    this.faults.push(`${name}: ${expected}`);
  }

  text(name: string): string | null {
    this.known.add(name);
    const value = this.env[name]?.trim() || null;
    if (value !== null && /^(["']).*\1$/s.test(value)) this.quoted.add(name);
    return value;
  }

  /** Returns those of the variables that are set, unchecked. */
  present(names: readonly string[]): Record<string, string> {
    const found: Record<string, string> = {};
    for (const name of names) {
      const value = this.env[name];
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  integer(name: string, fallback: number, min: number, max: number, also = ""): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.fault(name, `expected an integer from ${min} to ${max}${also}`);
    return fallback;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (!found) this.fault(name, `expected one of ${values.join(", ")}`);
    return found ?? fallback;
  }

  url(name: string, protocols: string[]): string | null {
    const value = this.text(name);
    if (value === null) return null;
    if (protocols.includes(URL.parse(value)?.protocol ?? "")) return value;
    this.fault(name, `expected a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`);
    return null;
  }

  mailServer(name: string): string | null {
    const value = this.url(name, ["smtp:", "smtps:"]);
    if (value !== null && new URL(value).hostname === "")
      this.fault(name, "expected a host, like smtp://user:password@mail.example.com");
    return value;
  }

  /** Reads a Postgres URL, with the parameters that libpq has for hosts and TLS. */
  postgresUrl(name: string): string | null {
    const value = this.text(name);
    return value === null ? null : this.parsed(name, value, parsePostgresUrl);
  }

  /** Reads a Postgres URL with exactly one host. */
  replicaUrl(name: string): string | null {
    const value = this.postgresUrl(name);
    if (value === null || parsePostgresUrl(value).places.length === 1) return value;
    this.fault(name, "expected one host: the replica beside this server");
    return null;
  }

  /** Reads the URL of one Redis server, of sentinels or of a cluster. */
  redisUrl(name: string): string | null {
    const value = this.text(name);
    return value === null ? null : this.parsed(name, value, parseRedisUrl);
  }

  private parsed(name: string, value: string, parse: (value: string) => unknown): string | null {
    try {
      parse(value);
      return value;
    } catch (error) {
      if (!(error instanceof PostgresUrlError || error instanceof RedisUrlError)) throw error;
      this.fault(name, error.message);
      return null;
    }
  }

  /** Reads a URL to which paths are appended, without its trailing slash. */
  private base(name: string): string | null {
    const value = this.url(name, ["http:", "https:"]);
    if (value === null) return null;
    const url = new URL(value);
    if (!url.search && !url.hash && !url.username && !url.password) return url.href.replace(/\/+$/, "");
    this.fault(name, "expected a URL without user name, query or fragment, like https://api.openai.com/v1");
    return null;
  }

  origin(name: string, fallback: string): string {
    const value = this.text(name);
    if (value === null) return fallback;
    const url = URL.parse(value);
    const isBare = url?.pathname === "/" && !url.search && !url.hash && !url.username;
    if (url && isWeb(url) && isBare && isHost(url) && !/\s/.test(value)) return url.origin;
    this.fault(name, "expected an http(s) origin without a path, like https://example.com");
    return fallback;
  }

  /** Reads a host as visitors' browsers send it: without the default port of `protocol`, and without a dot at the end. */
  host(name: string, protocol: string, fallback: string): string {
    const value = this.text(name);
    if (value === null) return fallback;
    const url = URL.parse(`${protocol}//${value}`);
    if (url && isHost(url) && url.pathname === "/" && !/[/?#@\s]/.test(value)) return url.host.replace(/\.(?=:|$)/, "");
    this.fault(name, "expected a host name, like go.example.com");
    return fallback;
  }

  secret(name: string): string | null {
    const value = this.text(name);
    if (value !== null && Buffer.byteLength(value) < 32) this.fault(name, "expected at least 32 bytes");
    return value;
  }

  token(name: string): string | null {
    const value = this.text(name);
    if (value !== null && !/^[!-~]{16,}$/.test(value))
      this.fault(name, "expected at least 16 letters, digits and symbols without spaces");
    return value;
  }

  /** Reads what is sent in a header. */
  private credential(name: string, { pattern, expected } = TOKEN): string | null {
    const value = this.text(name);
    if (value !== null && !pattern.test(value)) this.fault(name, expected);
    return value;
  }

  headerName(name: string): string | null {
    const value = this.text(name);
    if (value !== null && !/^[A-Za-z0-9-]+$/.test(value))
      this.fault(name, "expected a header name, like fly-client-ip");
    return value?.toLowerCase() ?? null;
  }

  list(name: string, isValid: (item: string) => boolean, expected: string): string[] {
    const items = (this.text(name) ?? "").split(/[\s,]+/).filter(Boolean);
    for (const item of items) if (!isValid(item)) this.fault(name, `expected ${expected}, not ${JSON.stringify(item)}`);
    return items;
  }

  sender(name: string): string | null {
    const value = this.text(name);
    if (value !== null && !/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
      this.fault(name, "expected an address, like Waymark <no-reply@example.com>");
    return value;
  }

  ai(): Config["ai"] {
    const baseUrl = this.base("AI_BASE_URL");
    const [model, apiKey] = [this.text("AI_MODEL"), this.credential("AI_API_KEY")];
    if (this.text("AI_BASE_URL") === null) {
      if (model ?? apiKey) this.fault("AI_BASE_URL", "required with AI_MODEL and AI_API_KEY");
      return null;
    }
    if (!model) this.fault("AI_MODEL", "required with AI_BASE_URL");
    return baseUrl && model ? { baseUrl, apiKey, model } : null;
  }

  webRisk(): Config["webRisk"] {
    const apiKey = this.credential("WEB_RISK_API_KEY");
    const apiUrl = this.origin("WEB_RISK_API_URL", WEB_RISK_API_URL);
    return apiKey ? { apiKey, apiUrl } : null;
  }

  fly(): Config["fly"] {
    const apiToken = this.credential("FLY_API_TOKEN", SPACED_TOKEN);
    const app = this.text("FLY_APP");
    if (apiToken && !app) this.fault("FLY_APP", "required with FLY_API_TOKEN");
    const apiUrl = this.url("FLY_API_URL", ["http:", "https:"]) ?? FLY_API_URL;
    return apiToken && app ? { apiToken, app, apiUrl } : null;
  }
}

const isWeb = (url: URL) => url.protocol === "http:" || url.protocol === "https:";

/** A name by which a host can be reached, or an address. The URL parser also takes quotes and empty labels. */
const isHost = ({ hostname }: URL): boolean =>
  /^\[.*\]$/.test(hostname) ||
  (hostname.length <= NAME_LENGTH_MAX && /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/.test(hostname));

const isAddress = (text: string) => isIP(text) !== 0;

export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const bitsMax = address.includes(":") ? 128 : 32;
  return (
    rest.length === 0 && isAddress(address) && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax))
  );
}

/** With a port, an IPv6 address needs brackets. */
export function isNameserver(text: string): boolean {
  if (isAddress(text)) return true;
  const [, address = "", port] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(text) ?? [];
  return isAddress(address) && (port === undefined || Number(port) <= 65_535);
}
