/**
 * Every setting of the service, read and checked in one place. `readConfig` reports all faults at once, each with the
 * setting's name and what would be right; nothing else in the service reads the environment.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { PLANS, type Plan } from "@/contract/plans";

export interface Config {
  isProduction: boolean;
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  baseUrl: string;
  /** Host, with a port where it is not the scheme's own. */
  shortDomain: string;
  dashboardUrl: string;
  /** Null: the embedded Postgres. */
  databaseUrl: string | null;
  redisUrl: string | null;
  dataDir: string;
  /** Null: made once and kept in `dataDir`. */
  appSecret: string | null;
  appSecretPrevious: string | null;
  /** Null: the bundled DB-IP City Lite. */
  geoDatabase: string | null;
  trustedProxies: string[];
  clientIpHeader: string | null;
  /** Processes that serve the port. */
  workers: number;
  /** Which of them this process is, from 1. Null: the one that was started, alone or to supervise the others. */
  worker: number | null;
  defaultPlan: Plan;
  outboundAllow: string[];
  dnsServers: string[];
  visitorSaltRotation: "none" | "daily";
  webRisk: { apiKey: string; apiUrl: string } | null;
  blocklistFile: string | null;
  ai: { baseUrl: string; apiKey: string | null; model: string } | null;
  smtpUrl: string | null;
  mailFrom: string | null;
  fly: { apiToken: string; app: string; apiUrl: string } | null;
  /** At most so long an acknowledged click may be lost to a power cut; 0 leaves it to the operating system. */
  spoolFsyncMs: number;
  /** What the link cache of one process may take of its memory. */
  linkCacheBytesMax: number;
}

const WORKERS_MAX = 256;
const FLY_API_URL = "https://api.fly.io/graphql";
const WEB_RISK_API_URL = "https://webrisk.googleapis.com";

type Env = Record<string, string | undefined>;

export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly faults: string[]) {
    super(`The settings are not right:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

export function readConfig(env: Env = Bun.env): Config {
  const read = new Reader(env);
  const isProduction = env.NODE_ENV === "production";
  const port = read.integer("PORT", 3000, 0, 65_535);
  const baseUrl = read.origin("BASE_URL", `http://localhost:${port}`);
  const config: Config = {
    isProduction,
    port,
    host: read.text("HOST") ?? "0.0.0.0",
    baseUrl,
    shortDomain: read.host("SHORT_DOMAIN", hostOf(baseUrl)),
    dashboardUrl: read.origin("DASHBOARD_URL", baseUrl),
    databaseUrl: read.url("DATABASE_URL", ["postgres:", "postgresql:"]),
    redisUrl: read.url("REDIS_URL", ["redis:", "rediss:"]),
    dataDir: resolve(read.text("DATA_DIR") ?? "./.data"),
    appSecret: read.secret("APP_SECRET"),
    appSecretPrevious: read.secret("APP_SECRET_PREVIOUS"),
    geoDatabase: read.text("GEO_DATABASE"),
    trustedProxies: read.list("TRUSTED_PROXIES", isNetwork, "an address or a network like 10.0.0.0/8"),
    clientIpHeader: read.headerName("CLIENT_IP_HEADER"),
    worker: read.integer("WAYMARK_WORKER", 0, 1, WORKERS_MAX) || null,
    workers:
      env.WORKERS?.trim() === "auto"
        ? availableParallelism()
        : read.integer("WORKERS", 1, 1, WORKERS_MAX, " or `auto`"),
    defaultPlan: read.oneOf("DEFAULT_PLAN", PLANS, "unlimited"),
    outboundAllow: read.list("OUTBOUND_ALLOW", isNetwork, "an address or a network like 10.0.0.0/8"),
    dnsServers: read.list("DNS_SERVERS", isNameserver, "an address, with a port if it is not 53"),
    visitorSaltRotation: read.oneOf("VISITOR_SALT_ROTATION", ["none", "daily"], "none"),
    webRisk: read.webRisk(),
    blocklistFile: read.text("BLOCKLIST_FILE"),
    ai: read.ai(),
    smtpUrl: read.url("SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: read.sender("MAIL_FROM"),
    fly: read.fly(),
    spoolFsyncMs: read.integer("SPOOL_FSYNC_MS", 10, 0, 60_000),
    linkCacheBytesMax: read.integer("LINK_CACHE_MB", 512, 1, 65_536) * 2 ** 20,
  };
  if (isProduction && !config.databaseUrl) read.fault("DATABASE_URL", "required in production");
  if (isProduction && !config.appSecret) read.fault("APP_SECRET", "required in production, at least 32 bytes");
  if (config.smtpUrl && !config.mailFrom) read.fault("MAIL_FROM", "required with SMTP_URL");
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/** The environment of one of several workers: this process's own, with what was settled for all of them. */
export function workerEnvironment(
  worker: number,
  settled: { port: number; databaseUrl: string },
  env: Env = Bun.env,
): Env {
  const { port, databaseUrl } = settled;
  return { ...env, WAYMARK_WORKER: String(worker), PORT: String(port), DATABASE_URL: databaseUrl };
}

/** Reads settings by name and gathers what is wrong with them; after a fault the fallback stands in. */
class Reader {
  readonly faults: string[] = [];
  constructor(private readonly env: Env) {}

  fault(name: string, expected: string): void {
    this.faults.push(`${name}: ${expected}`);
  }

  text(name: string): string | null {
    return this.env[name]?.trim() || null;
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

  /** What paths are put behind, without a slash at its end. */
  private base(name: string): string | null {
    const value = this.url(name, ["http:", "https:"]);
    if (value === null) return null;
    const url = new URL(value);
    if (!url.search && !url.hash && !url.username && !url.password) return url.href.replace(/\/+$/, "");
    this.fault(name, "expected a URL without user name, query and fragment, like https://api.openai.com/v1");
    return null;
  }

  origin(name: string, fallback: string): string {
    const value = this.text(name);
    if (value === null) return fallback;
    const url = URL.parse(value);
    if (url && isWeb(url) && url.pathname === "/" && !url.search && !url.hash && !url.username) return url.origin;
    this.fault(name, "expected an http(s) origin without a path, like https://example.com");
    return fallback;
  }

  host(name: string, fallback: string): string {
    const value = this.text(name);
    if (value === null) return fallback;
    const url = URL.parse(`http://${value}`);
    if (url && url.host !== "" && url.pathname === "/" && !/[/?#@]/.test(value)) return url.host;
    this.fault(name, "expected a host name, like go.example.com");
    return fallback;
  }

  secret(name: string): string | null {
    const value = this.text(name);
    if (value !== null && Buffer.byteLength(value) < 32) this.fault(name, "expected at least 32 bytes");
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
    const [model, apiKey] = [this.text("AI_MODEL"), this.text("AI_API_KEY")];
    if (this.text("AI_BASE_URL") === null) {
      if (model ?? apiKey) this.fault("AI_BASE_URL", "required with AI_MODEL and AI_API_KEY");
      return null;
    }
    if (!model) this.fault("AI_MODEL", "required with AI_BASE_URL");
    if (apiKey && !/^[!-~]+$/.test(apiKey))
      this.fault("AI_API_KEY", "expected letters, digits and signs without spaces");
    return baseUrl && model ? { baseUrl, apiKey, model } : null;
  }

  webRisk(): Config["webRisk"] {
    const apiKey = this.text("WEB_RISK_API_KEY");
    const apiUrl = this.origin("WEB_RISK_API_URL", WEB_RISK_API_URL);
    return apiKey ? { apiKey, apiUrl } : null;
  }

  fly(): Config["fly"] {
    const apiToken = this.text("FLY_API_TOKEN");
    const app = this.text("FLY_APP");
    if (apiToken && !app) this.fault("FLY_APP", "required with FLY_API_TOKEN");
    const apiUrl = this.url("FLY_API_URL", ["http:", "https:"]) ?? FLY_API_URL;
    return apiToken && app ? { apiToken, app, apiUrl } : null;
  }
}

const isWeb = (url: URL) => url.protocol === "http:" || url.protocol === "https:";
const hostOf = (origin: string) => new URL(origin).host;

const isAddress = (text: string) => /^[\d.]+$|^[\da-f:.]+$/i.test(text) && URL.canParse(addressUrl(text));
const addressUrl = (text: string) => (text.includes(":") ? `http://[${text}]` : `http://${text}`);

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const bitsMax = address.includes(":") ? 128 : 32;
  return (
    rest.length === 0 && isAddress(address) && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax))
  );
}

function isNameserver(text: string): boolean {
  const [, address = "", port] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(text) ?? [];
  return isAddress(address) && (port === undefined || Number(port) <= 65_535);
}
