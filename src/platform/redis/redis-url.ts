/** What `REDIS_URL` describes, in any of its forms. */
export interface RedisTarget {
  kind: "server" | "sentinel" | "cluster";
  /** At least one: the server, the sentinels, or some of the cluster's nodes. */
  nodes: { host: string; port: number }[];
  /** The name by which sentinels know the master. */
  master?: string;
  username?: string;
  password?: string;
  db?: number;
  tls?: object;
}

/** Says what is wrong with the URL, without quoting any part of it. */
export class RedisUrlError extends Error {
  override name = "RedisUrlError";
}

const DEFAULT_PORTS = { server: 6379, sentinel: 26_379, cluster: 6379 } as const;
const SHAPE = /^redis(s)?(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:[?#].*)?$/;
const NODE = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/;

/** Throws `RedisUrlError`. */
export function parseRedisUrl(text: string): RedisTarget {
  const [, secure, form, credentials, hosts = "", path = ""] = SHAPE.exec(text) ?? [];
  if (!SHAPE.test(text))
    throw new RedisUrlError("expected a URL starting with redis://, rediss://, redis+sentinel:// or redis+cluster://");
  const kind = form === "sentinel" || form === "cluster" ? form : "server";
  const nodes = hosts.split(",").map((node) => nodeOf(node, DEFAULT_PORTS[kind]));
  const found = nodes.filter((node) => node !== null);
  if (found.length < nodes.length || (kind === "server" && nodes.length > 1))
    throw new RedisUrlError(
      kind === "server" ? "expected one host like redis.example:6379" : "expected hosts like a.example:6379,b.example",
    );
  const segments = path.split("/").slice(1).map(decoded);
  const master = kind === "sentinel" ? segments.shift() : undefined;
  if (kind === "sentinel" && !master)
    throw new RedisUrlError(
      "expected the master name after the hosts, like redis+sentinel://a.example,b.example/mymaster",
    );
  const [db = ""] = segments;
  if (!/^\d{0,6}$/.test(db) || segments.length > 1 || (kind === "cluster" && Number(db) > 0))
    throw new RedisUrlError(
      kind === "cluster" ? "a cluster has no database numbers" : "expected a database number at the end",
    );
  const [username, password] = credentialsOf(credentials);
  return {
    ...{ kind, nodes: found, master },
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(db && kind !== "cluster" ? { db: Number(db) } : {}),
    ...(secure ? { tls: {} } : {}),
  };
}

function nodeOf(text: string, defaultPort: number): { host: string; port: number } | null {
  const [, v6, host = "localhost", port] = NODE.exec(text) ?? (text === "" ? [] : [undefined, undefined, ""]);
  const number = Number(port ?? defaultPort);
  if (v6 === undefined && host === "") return null;
  return number >= 1 && number <= 65_535 ? { host: v6 ?? host, port: number } : null;
}

function credentialsOf(text: string | undefined): [string | undefined, string | undefined] {
  if (text === undefined) return [undefined, undefined];
  const [, username, password] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  return [username && decoded(username), password && decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError("expected user, password and path to be percent-encoded");
  }
}
