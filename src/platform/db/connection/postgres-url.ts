/**
 * An address of Postgres as libpq takes it: `postgres://user:password@host:5432,host/database?sslmode=…&sslrootcert=…`. The
 * driver by itself goes round several hosts without an end, and takes `sslrootcert` for a setting of the server; so it is
 * given one host, and what is made here of the rest.
 */
import { readFileSync } from "node:fs";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

export interface ServerPlace {
  host: string;
  port: number;
}

/** As the driver takes it: a word, or what `tls.connect` is given. */
export type DriverTls = "prefer" | "require" | false | TlsOptions;

interface TlsOptions {
  ca?: string;
  rejectUnauthorized: true;
  checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

export interface PostgresUrl {
  /** In the order in which they are named; at least one. */
  places: ServerPlace[];
  /** Has only the first host, and no TLS settings. */
  href: string;
  /** Undefined: as the driver reads the address. */
  tls?: DriverTls;
}

/** What is wrong with an address, in words that name no part of it. */
export class PostgresUrlError extends Error {
  override name = "PostgresUrlError";
}

const DEFAULT_PORT = 5432;
const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/;
const PLACE = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d{1,5}))?$/;
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Throws `PostgresUrlError`. Reads the file of `sslrootcert`. */
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
  const found = places.filter((place) => place !== null);
  return { places: found, href: url.href, tls };
}

function placeOf(name: string): ServerPlace | null {
  const [, v6, host, port] = PLACE.exec(name) ?? [];
  const number = Number(port ?? DEFAULT_PORT);
  if (v6 === undefined && host === undefined) return null;
  return number >= 1 && number <= 65_535 ? { host: v6 ?? (host || "localhost"), port: number } : null;
}

/**
 * As libpq means it, but for one thing: who names an authority and no mode gets all that can be checked. `require` checks
 * the certificate only where an authority is named, and the name in it never.
 */
function tlsOf(query: URLSearchParams): DriverTls | undefined {
  const root = query.get("sslrootcert");
  const named = query.get("sslmode");
  if (named === null && root === null) return undefined;
  const mode = modeOf(named, root);
  if (mode === "disable") return false;
  if (mode === "allow" || mode === "prefer") return "prefer";
  if (mode === "require" && root === null) return "require";
  return {
    ...(root === null || root === "system" ? {} : { ca: readAuthority(root) }),
    rejectUnauthorized: true,
    checkServerIdentity: mode === "verify-full" ? checkServerIdentity : () => undefined,
  };
}

function modeOf(named: string | null, root: string | null): SslMode {
  if (named === null || root === "system") return "verify-full";
  const mode = SSL_MODES.find((candidate) => candidate === named);
  if (!mode) throw new PostgresUrlError(`expected sslmode to be one of ${SSL_MODES.join(", ")}`);
  return mode;
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new PostgresUrlError(`cannot read sslrootcert (${code})`, { cause });
  }
}
