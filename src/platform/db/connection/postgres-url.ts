/**
 * Parses an address of Postgres as libpq accepts it:
 * `postgres://user:password@host:5432,host/database?sslmode=…&sslrootcert=…`. The driver would try several hosts in
 * turn without end, and would send `sslrootcert` to the server as a setting. So it is given a single host, the TLS
 * settings made here, and only what a server knows. An authority that is renewed while the service runs counts from the next connection on.
 */
import { readFileSync } from "node:fs";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

export interface ServerPlace {
  host: string;
  port: number;
}

/** In the driver's form: a word, or the options of `tls.connect`. */
export type DriverTls = "prefer" | "require" | false | TlsOptions;

interface TlsOptions {
  readonly ca?: string;
  rejectUnauthorized: true;
  checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

export interface PostgresUrl {
  /** In the order in which they are named; at least one. */
  places: ServerPlace[];
  /** The address with only the first host, and without what the driver or the server does not take from it. */
  href: string;
  /** Undefined if the driver is to read it from the address. */
  tls?: DriverTls;
}

/** Describes what is wrong with an address without naming any part of it. */
export class PostgresUrlError extends Error {
  override name = "PostgresUrlError";
}

const DEFAULT_PORT = 5432;
const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/;
const PLACE = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d{1,5}))?$/;
/**
 * What every connection sets itself. The driver would prefer the address: connections that an outage left behind would
 * not be found by their names, nor ended with their locks, and days would not be those of UTC.
 */
const OWN_SETTINGS = ["application_name", "client_encoding", "datestyle", "timezone"];
/** Of libpq alone: the driver would send them to the server, which knows none of them and refuses the connection. */
const OF_LIBPQ = [
  ...["fallback_application_name", "passfile", "load_balance_hosts", "channel_binding"],
  ...["keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"],
  ...["gssencmode", "gssdelegation", "gsslib", "krbsrvname", "sslcompression", "sslsni", "sslcertmode"],
];
const LEFT_OUT = new Set([...OWN_SETTINGS, ...OF_LIBPQ]);
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Reads the file of `sslrootcert`. Throws `PostgresUrlError` if that fails or the address is not valid. */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, scheme, credentials, hosts = "", rest = ""] = SHAPE.exec(text) ?? [];
  if (scheme === undefined)
    throw new PostgresUrlError("expected a URL like postgres://user:password@host:5432/database");
  const names = hosts.split(",");
  const url = URL.parse(`${scheme}${credentials === undefined ? "" : `${credentials}@`}${names[0]}${rest}`);
  const places = names.map(placeOf);
  if (!url || places.some((place) => place === null))
    throw new PostgresUrlError("expected hosts like a.example:5432, separated by commas");
  const tls = tlsOf(url.searchParams);
  for (const name of ["sslmode", "sslrootcert"]) if (tls !== undefined) url.searchParams.delete(name);
  leaveOut(url.searchParams);
  const found = places.filter((place) => place !== null);
  return { places: found, href: url.href, tls };
}

function leaveOut(query: URLSearchParams): void {
  if (query.get("channel_binding") === "require")
    throw new PostgresUrlError(
      "channel_binding=require is not supported: remove it, and set sslmode=verify-full and sslrootcert instead",
    );
  for (const name of [...query.keys()]) if (LEFT_OUT.has(name.toLowerCase())) query.delete(name);
  // It means no choice, but the driver does not know it.
  if (query.get("target_session_attrs") === "any") query.delete("target_session_attrs");
}

function placeOf(name: string): ServerPlace | null {
  const [, v6, host, port] = PLACE.exec(name) ?? [];
  const number = Number(port ?? DEFAULT_PORT);
  if (v6 === undefined && host === undefined) return null;
  return number >= 1 && number <= 65_535 ? { host: v6 ?? (host || "localhost"), port: number } : null;
}

/**
 * Interprets the settings as libpq does, except that an authority without a mode means that everything is verified.
 * `require` checks the certificate only if an authority is named, and never the host name in it.
 */
function tlsOf(query: URLSearchParams): DriverTls | undefined {
  const root = query.get("sslrootcert");
  const named = query.get("sslmode");
  if (named === null && root === null) return undefined;
  const mode = modeOf(named, root);
  if (mode === "disable") return false;
  if (mode === "allow" || mode === "prefer") return "prefer";
  if (mode === "require" && root === null) return "require";
  const checks: TlsOptions = {
    rejectUnauthorized: true,
    checkServerIdentity: mode === "verify-full" ? checkServerIdentity : () => undefined,
  };
  return root === null || root === "system" ? checks : withAuthority(checks, root);
}

/** The driver copies the options for every connection, so that each is checked against what the file contains then. */
function withAuthority(checks: TlsOptions, path: string): TlsOptions {
  readAuthority(path);
  return Object.defineProperty(checks, "ca", { enumerable: true, get: () => readAuthority(path) });
}

function modeOf(named: string | null, root: string | null): SslMode {
  if (named === null || root === "system") return "verify-full";
  const mode = SSL_MODES.find((candidate) => candidate === named);
  if (!mode) throw new PostgresUrlError(`expected sslmode to be one of ${SSL_MODES.join(", ")}`);
  return mode;
}

/** What each file contained when it was last read. As many as the settings name. */
const authorities = new Map<string, string>();

/** A file that was readable before may be missing for a moment, while it is renewed. */
function readAuthority(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    authorities.set(path, text);
    return text;
  } catch (cause) {
    const known = authorities.get(path);
    if (known !== undefined) return known;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new PostgresUrlError(`cannot read sslrootcert (${code})`, { cause });
  }
}
