/**
 * Parses an address of Postgres as libpq accepts it:
 * `postgres://user:password@host:5432,host/database?sslmode=…&sslrootcert=…`, or `postgres:///database?host=/folder` for
 * a Unix socket. The driver would try several hosts in turn without end, and would send libpq's parameters to the server
 * as settings. So it is given a single host, the TLS options made here, and only what a server knows.
 */
import { type DriverTls, TLS_PARAMETERS, tlsOf } from "./postgres-tls";
import { PostgresUrlError } from "./postgres-url-error";

export interface ServerPlace {
  /** A name or an address; of a Unix socket the folder, which begins with a slash. */
  host: string;
  port: number;
}

export interface PostgresUrl {
  /** In the order in which they are named; at least one. */
  places: ServerPlace[];
  /** The address with only the first host, and without what the driver or the server does not take from it. */
  href: string;
  /** Undefined if the address names none. */
  database?: string;
  /** Undefined if the driver is to read it from the address. */
  tls?: DriverTls;
}

const DEFAULT_PORT = "5432";
/** In the address that the driver gets, which cannot name a Unix socket as its host. */
const SOME_HOST = "localhost";
const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/;
const PLACE = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d{0,5}))?$/;
const PLACES_WORDS = "expected hosts like a.example:5432, separated by commas";
const URL_WORDS = "expected a URL like postgres://user:password@host:5432/database";
const ENCODED_WORDS = "expected user and password to be percent-encoded, for example %23 for #";
/** A password ends at the first `/`, `?` or `#` in it; what follows it would be read as a port and a database. */
const CUT_OFF = /^[^?]*[#@]/;
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
/** What the parsed address has elsewhere. */
const TAKEN = ["host", "port", "user", "password", "dbname"];
const LEFT_OUT = new Set<string>([...OWN_SETTINGS, ...OF_LIBPQ, ...TAKEN, ...TLS_PARAMETERS]);

/** Reads the files that the address names. Throws `PostgresUrlError` if that fails or the address is not valid. */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, scheme, credentials, hosts = "", rest = ""] = SHAPE.exec(text) ?? [];
  if (scheme === undefined) throw new PostgresUrlError(URL_WORDS);
  const url = URL.parse(`${scheme}${credentials === undefined ? "" : `${credentials}@`}${SOME_HOST}${rest}`);
  if (!url) throw new PostgresUrlError(URL_WORDS);
  if (CUT_OFF.test(rest) || !isEncoded(url)) throw new PostgresUrlError(ENCODED_WORDS);
  const { searchParams: query } = url;
  const places = placesOf(hosts, query);
  const tls = tlsOf(query);
  const database = query.get("dbname") ?? decoded(url.pathname.slice(1));
  setFirst(url, places[0]);
  setUser(url);
  // The driver then takes the host from PGHOST. With a user, an address cannot do without.
  if (hosts === "" && !query.has("host")) url.hostname = "";
  leaveOut(query);
  // As with libpq, nothing is encrypted on the way through a Unix socket.
  return { places, href: url.href, database: database || undefined, tls: places.some(isUnixSocket) ? false : tls };
}

export const isUnixSocket = ({ host }: ServerPlace): boolean => host.startsWith("/");

/** Returns what `net.createConnection` takes. */
export const socketOf = (place: ServerPlace): ServerPlace | { path: string } =>
  isUnixSocket(place) ? { path: `${place.host}/.s.PGSQL.${place.port}` } : place;

/** Parameters override what stands before the path. A single port is that of all hosts. */
function placesOf(authority: string, query: URLSearchParams): ServerPlace[] {
  const named = authority.split(",").map(hostAndPort);
  const hosts = query.get("host")?.split(",") ?? named.map(({ host }) => host);
  const ports = query.get("port")?.split(",") ?? named.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== hosts.length) throw new PostgresUrlError("expected a port for each host");
  const places = hosts.map((host, index) => placeOf(host, ports[ports.length === 1 ? 0 : index]));
  if (places.some(isUnixSocket) && !places.every(isUnixSocket))
    throw new PostgresUrlError("expected either hosts or folders of Unix sockets, not both");
  return places;
}

function hostAndPort(name: string): { host: string; port: string } {
  const [found, v6, host = "", port = ""] = PLACE.exec(name) ?? [];
  if (found === undefined) throw new PostgresUrlError(PLACES_WORDS);
  return { host: v6 ?? decoded(host), port };
}

function placeOf(host: string, port: string | undefined): ServerPlace {
  const number = Number(port || DEFAULT_PORT);
  const isHost = host.startsWith("/") || !/[\s/]/.test(host);
  if (!isHost || !Number.isInteger(number) || number < 1 || number > 65_535) throw new PostgresUrlError(PLACES_WORDS);
  return { host: host || "localhost", port: number };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new PostgresUrlError(URL_WORDS, { cause });
  }
}

/** Reports whether the user name and the password can be decoded, as the driver will. */
function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function setFirst(url: URL, first: ServerPlace | undefined): void {
  if (!first || isUnixSocket(first)) return;
  url.hostname = first.host.includes(":") ? `[${first.host}]` : first.host;
  if (first.port !== Number(DEFAULT_PORT)) url.port = String(first.port);
}

function setUser(url: URL): void {
  const [user, password] = ["user", "password"].map((name) => url.searchParams.get(name));
  if (user) url.username = encodeURIComponent(user);
  if (password) url.password = encodeURIComponent(password);
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
