/**
 * DNS as the name servers have it at this moment. Each look-up has a resolver of its own: one that is used again answers
 * from its memory. That a name or a record does not exist is an answer; that nobody could or would tell is none, and never
 * counts as missing.
 *
 * Bounds: two tries of each server, and 5 s in all for a look-up; who asks for what is being looked up shares the answer,
 * and beyond `LOOKUPS_MAX` at once nobody is asked, since each takes sockets of its own. Nothing is kept.
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
 * Values of names are lower-cased and without the root's dot. A TXT record beyond 255 bytes comes in parts, and Bun gives
 * each as a record of its own: no token may be as long.
 */
export type DnsAnswer = { ok: true; values: string[] } | { ok: false; reason: string };

export interface Dns {
  /** Never rejects. */
  lookUp(type: RecordType, name: string): Promise<DnsAnswer>;
}

/** `servers` as `DNS_SERVERS` has them; none: the system's. */
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

/** A record may have any byte; what is found is kept in Postgres, whose texts have no NUL. */
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
