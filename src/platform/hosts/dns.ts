/**
 * Looks up DNS records as the name servers have them at this moment. Each look-up creates its own resolver, because a
 * reused one returns what it has cached. That a name or a record does not exist is a result; that no server could or
 * would tell is a failure, and never counts as missing.
 *
 * Bounds: two tries of each server, and 5 s in all per look-up. Calls for what is already being looked up share its
 * result. Beyond `LOOKUPS_MAX` look-ups at a time, further ones fail immediately, because each needs its own sockets.
 * Nothing is cached.
 */
import { Resolver } from "node:dns/promises";
import type { RecordType } from "@/contract/domains";

const TRY_MS_MAX = 1_500;
const TRIES_MAX = 2;
const ANSWER_MS_MAX = 5_000;
const LOOKUPS_MAX = 200;
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 1_000;
/** NXDOMAIN, and a name without records of this type. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Values that are names are in lower case and without the root's dot. A TXT record longer than 255 bytes comes in
 * parts, and Bun returns each part as a separate record: so no token may be that long.
 */
export type DnsAnswer = { ok: true; values: string[] } | { ok: false; reason: string };

export interface Dns {
  /** Never rejects. */
  lookUp(type: RecordType, name: string): Promise<DnsAnswer>;
}

/** `servers` is the value of `DNS_SERVERS`; if it is empty, the system's resolvers are used. */
export function createDns(servers: readonly string[], answerMsMax = ANSWER_MS_MAX): Dns {
  const underWay = new Map<string, Promise<DnsAnswer>>();
  return {
    async lookUp(type, name) {
      const key = `${type} ${name}`;
      const running = underWay.get(key);
      if (running) return running;
      if (underWay.size >= LOOKUPS_MAX) return { ok: false, reason: "EBUSY" };
      const answer = lookUpAnew(servers, type, name, answerMsMax).finally(() => underWay.delete(key));
      underWay.set(key, answer);
      return answer;
    },
  };
}

async function lookUpAnew(
  servers: readonly string[],
  type: RecordType,
  name: string,
  msMax: number,
): Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: TRY_MS_MAX, tries: TRIES_MAX });
  const tooLong = Promise.withResolvers<DnsAnswer>();
  const timer = setTimeout(() => tooLong.resolve({ ok: false, reason: "ETIMEOUT" }), msMax);
  try {
    if (servers.length > 0) resolver.setServers(servers);
    return await Promise.race([ask(resolver, type, name), tooLong.promise]);
  } finally {
    clearTimeout(timer);
    resolver.cancel();
  }
}

async function ask(resolver: Resolver, type: RecordType, name: string): Promise<DnsAnswer> {
  try {
    const values = await valuesOf(resolver, type, name);
    return { ok: true, values: values.slice(0, VALUES_MAX).map(keepable) };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return ABSENT.has(reason) ? { ok: true, values: [] } : { ok: false, reason };
  }
}

/** Makes a value fit to be stored: a record may contain any byte, but text in Postgres has no NUL. */
const keepable = (value: string): string => value.slice(0, VALUE_LENGTH_MAX).toWellFormed().replaceAll("\0", "\uFFFD");

async function valuesOf(resolver: Resolver, type: RecordType, name: string): Promise<string[]> {
  switch (type) {
    case "TXT":
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    case "CNAME":
      return (await resolver.resolveCname(name)).map((target) => target.toLowerCase().replace(/\.$/, ""));
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
  }
}
