/**
 * Reads and checks every setting of the service in one place. `readConfig` reports all faults together, each with the
 * setting's name and what would be right; nothing else in the service reads the environment.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { PLANS, type Plan } from "@/contract/accounts/plans";
import { REGISTRATION_POLICIES, type RegistrationPolicy } from "@/core/registration";
import { faultOfAuthorities } from "./config/authorities";
import { findMisspelt } from "./config/misspelt";
import { type Env, isNameserver, isNetwork, SettingsReader } from "./config/reader";
import { LOG_LEVELS, type LogLevel } from "./platform/telemetry/log";

export interface Config {
  isProduction: boolean;
  port: number;
  host: string;
  /** The origin, without a trailing slash. */
  baseUrl: string;
  /** The host, with its port unless that is the scheme's default. */
  shortDomain: string;
  dashboardUrl: string;
  /** Null means the embedded Postgres. */
  databaseUrl: string | null;
  /** Bypasses a transaction pooler. Null means the same as `databaseUrl`. */
  databaseDirectUrl: string | null;
  /** A streaming replica for reading links, figures and exports. Null means the primary. */
  databaseReadUrl: string | null;
  redisUrl: string | null;
  dataDir: string;
  /** Null means a secret generated once and stored in `dataDir`. */
  appSecret: string | null;
  appSecretPrevious: string | null;
  /** Null means the bundled DB-IP City Lite. */
  geoDatabase: string | null;
  trustedProxies: string[];
  clientIpHeader: string | null;
  /** The number of processes that serve the port. */
  workers: number;
  /**
   * The number of this worker, from 1. Null for the process that was started, which serves alone or supervises the
   * others.
   */
  worker: number | null;
  defaultPlan: Plan;
  registration: RegistrationPolicy;
  outboundAllow: string[];
  dnsServers: string[];
  /** The token that operators send from other machines. Null means that other machines have no access. */
  metricsToken: string | null;
  visitorSaltRotation: "none" | "daily";
  webRisk: { apiKey: string; apiUrl: string } | null;
  blocklistFile: string | null;
  ai: { baseUrl: string; apiKey: string | null; model: string } | null;
  smtpUrl: string | null;
  mailFrom: string | null;
  fly: { apiToken: string; app: string; apiUrl: string } | null;
  /**
   * Milliseconds between a write to the spool and its fsync, which is how much a power cut can lose; 0 leaves syncing
   * to the operating system.
   */
  spoolFsyncMs: number;
  /**
   * Whether plain visits are answered directly from the request's bytes, in front of the HTTP server, which handles
   * the rest.
   */
  hasFastLane: boolean;
  /** Seconds after which an idle connection is closed. */
  keepAliveSeconds: number;
  /** Bytes of memory that the link cache of one process may take. */
  linkCacheBytesMax: number;
  logLevel: LogLevel;
  /** Where traces go; null means nowhere. The OpenTelemetry library reads this variable and its other ones itself. */
  tracesEndpoint: string | null;
  /** The variables that decide which certificates are trusted, for processes that inherit no environment. */
  trustEnv: Record<string, string>;
  /** Settings that are valid but hardly intended: a sentence each, beginning with the name. */
  warnings: string[];
}

const WORKERS_MAX = 256;
/** Bun's HTTP server counts its idle seconds in a byte. */
const SERVER_KEEP_ALIVE_MAX = 255;
const ENVIRONMENTS = [null, "development", "test", "production"];
/** Bun reads them itself. */
const AUTHORITIES = "NODE_EXTRA_CA_CERTS";
const TRUST_VARIABLES = [AUTHORITIES, "NODE_USE_SYSTEM_CA", "NODE_TLS_REJECT_UNAUTHORIZED"];

export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

export function readConfig(env: Env = Bun.env): Config {
  const read = new SettingsReader(env);
  const isProduction = read.text("NODE_ENV") === "production";
  const port = read.integer("PORT", 3000, 0, 65_535);
  const baseUrl = read.origin("BASE_URL", `http://localhost:${port}`);
  const config: Config = {
    isProduction,
    port,
    host: read.text("HOST") ?? "0.0.0.0",
    baseUrl,
    shortDomain: read.host("SHORT_DOMAIN", new URL(baseUrl).protocol, hostOf(baseUrl)),
    dashboardUrl: read.origin("DASHBOARD_URL", baseUrl),
    databaseUrl: read.postgresUrl("DATABASE_URL"),
    databaseDirectUrl: read.postgresUrl("DATABASE_DIRECT_URL"),
    databaseReadUrl: read.replicaUrl("DATABASE_READ_URL"),
    redisUrl: read.redisUrl("REDIS_URL"),
    dataDir: resolve(read.text("DATA_DIR") ?? "./.data"),
    appSecret: read.secret("APP_SECRET"),
    appSecretPrevious: read.secret("APP_SECRET_PREVIOUS"),
    geoDatabase: read.text("GEO_DATABASE"),
    trustedProxies: read.list("TRUSTED_PROXIES", isNetwork, "an address or a network like 10.0.0.0/8"),
    clientIpHeader: read.headerName("CLIENT_IP_HEADER"),
    worker: read.integer("WAYMARK_WORKER", 0, 1, WORKERS_MAX) || null,
    workers:
      read.text("WORKERS") === "auto"
        ? availableParallelism()
        : read.integer("WORKERS", 1, 1, WORKERS_MAX, " or `auto`"),
    defaultPlan: read.oneOf("DEFAULT_PLAN", PLANS, "unlimited"),
    registration: read.oneOf("REGISTRATION", REGISTRATION_POLICIES, "open"),
    outboundAllow: read.list("OUTBOUND_ALLOW", isNetwork, "an address or a network like 10.0.0.0/8"),
    dnsServers: read.list("DNS_SERVERS", isNameserver, "an address, with a port if it is not 53"),
    metricsToken: read.token("METRICS_TOKEN"),
    visitorSaltRotation: read.oneOf("VISITOR_SALT_ROTATION", ["none", "daily"], "none"),
    webRisk: read.webRisk(),
    blocklistFile: read.text("BLOCKLIST_FILE"),
    ai: read.ai(),
    smtpUrl: read.mailServer("SMTP_URL"),
    mailFrom: read.sender("MAIL_FROM"),
    fly: read.fly(),
    hasFastLane: read.oneOf("FAST_LANE", ["on", "off"], "on") === "on",
    keepAliveSeconds: read.integer("KEEP_ALIVE_SECONDS", 75, 60, 3_600),
    spoolFsyncMs: read.integer("SPOOL_FSYNC_MS", 10, 0, 60_000),
    linkCacheBytesMax: read.integer("LINK_CACHE_MB", 512, 1, 65_536) * 2 ** 20,
    tracesEndpoint: read.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"]),
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, "info"),
    trustEnv: read.present(TRUST_VARIABLES),
    warnings: [],
  };
  if (isProduction && !config.databaseUrl) read.fault("DATABASE_URL", "required in production");
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_READ_URL"]) {
    if (read.text(name) !== null && !config.databaseUrl) read.fault("DATABASE_URL", `required with ${name}`);
  }
  if (isProduction && !config.appSecret) read.fault("APP_SECRET", "required in production, at least 32 bytes");
  if (!config.hasFastLane && config.keepAliveSeconds > SERVER_KEEP_ALIVE_MAX) {
    read.fault("KEEP_ALIVE_SECONDS", `expected at most ${SERVER_KEEP_ALIVE_MAX} with FAST_LANE=off`);
  }
  if (config.smtpUrl && !config.mailFrom) read.fault("MAIL_FROM", "required with SMTP_URL");
  config.warnings.push(...warningsOf(read, Object.keys(env), config), ...hardlyIntended(config));
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/** Returns what is odd about the variables themselves. */
function warningsOf(read: SettingsReader, names: string[], { isProduction, baseUrl }: Config): string[] {
  const warnings = findMisspelt(names, read.known).map(
    ({ name, meant }) => `${name}: not a setting of this service; did you mean ${meant}?`,
  );
  for (const name of read.quoted) {
    const advice = "`docker run --env-file` takes values without";
    warnings.push(`${name}: in quotes, which count as a part of its value; ${advice}`);
  }
  if (!ENVIRONMENTS.includes(read.text("NODE_ENV"))) {
    const effect = "with a secret and, without DATABASE_URL, a Postgres of its own";
    warnings.push(`NODE_ENV: not production, so this starts as in development, ${effect}`);
  }
  if (isProduction && read.text("BASE_URL") === null)
    warnings.push(`BASE_URL: not set, so short URLs start with ${baseUrl}, which nobody else can open`);
  return warnings;
}

function hardlyIntended({ isProduction, registration, trustedProxies, clientIpHeader, trustEnv }: Config): string[] {
  const warnings: string[] = [];
  const fault = faultOfAuthorities(trustEnv[AUTHORITIES]);
  if (fault !== null) warnings.push(`${AUTHORITIES}: ${fault}, so certificates of your own authority are refused`);
  if (isProduction && registration === "open") {
    warnings.push("REGISTRATION: open, so anyone can register; invited or closed keeps strangers out");
  }
  if (clientIpHeader !== null && trustedProxies.length === 0) {
    warnings.push(
      "CLIENT_IP_HEADER: ignored without TRUSTED_PROXIES, so all visitors behind a proxy share its address",
    );
  }
  if (clientIpHeader === null && trustedProxies.length > 0) {
    warnings.push(
      "TRUSTED_PROXIES: ignored without CLIENT_IP_HEADER, so all visitors behind a proxy share its address",
    );
  }
  return warnings;
}

/** Returns the settings with this port, from which others follow, in place of `PORT`. */
export const configWithPort = (port: number, env: Env = Bun.env): Config => readConfig({ ...env, PORT: String(port) });

/** Returns the environment of one of several workers: this process's own, with what was determined for all of them. */
export function workerEnvironment(
  worker: number,
  settled: { port: number; databaseUrl: string },
  env: Env = Bun.env,
): Env {
  const { port, databaseUrl } = settled;
  return { ...env, WAYMARK_WORKER: String(worker), PORT: String(port), DATABASE_URL: databaseUrl };
}

const hostOf = (origin: string) => new URL(origin).host;
