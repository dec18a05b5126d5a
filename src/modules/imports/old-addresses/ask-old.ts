/**
 * Requests old addresses as a desktop, to see where they lead: by HEAD, or by GET if that is refused. It does not
 * follow redirects, except for one to the same place that differs only in scheme or trailing slash. Hosts that already
 * point to this service are not requested: they would return our own link and count a visit.
 *
 * Bounds: one request at a time and `PAUSE_MS` between two addresses; `ANSWER_MS` per request; a host that fails
 * `FAULTS_MAX` times in a row is not requested again. Nothing is kept after the run.
 */
import { lookup as systemLookup } from "node:dns/promises";
import type { OldAddressResponse } from "@/core/imports/differences";
import { hostnameOf } from "@/core/names/hostname";
import { type Outbound, type OutboundAnswer, OutboundError } from "@/platform/outbound/outbound";

export interface OldAddressOptions {
  outbound: Pick<Outbound, "request">;
  /** Host names of this service. */
  ownHosts: readonly string[];
}

export interface OldAddresses {
  /** Resolves to true for a host that leads to this service, and must not be requested. */
  leadsHere(host: string): Promise<boolean>;
  ask(host: string, path: string): Promise<OldAddressResponse | "unanswered">;
}

const PAUSE_MS = 250;
const ANSWER_MS = 4_000;
const BYTES_MAX = 1_024;
const FAULTS_MAX = 3;
const LOCATION_LENGTH_MAX = 2_048;
/** Looks like a desktop browser to servers, and names itself to people. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Waymark-Import-Check/1.0";
const TOO_MANY = 429;

interface Host {
  isOurs: boolean;
  scheme: "https" | "http";
  faults: number;
}

export function createOldAddresses({ outbound, ownHosts }: OldAddressOptions): OldAddresses {
  const hosts = new Map<string, Host>();
  let own: Promise<Set<string>> | undefined;
  let nextAt = 0;

  return {
    leadsHere: async (name) => (await known(name)).isOurs,

    async ask(name, path) {
      const host = await known(name);
      if (host.faults >= FAULTS_MAX) return "unanswered";
      await Bun.sleep(Math.max(0, nextAt - performance.now()));
      nextAt = performance.now() + PAUSE_MS;
      const asked = await askAt(host, name, path);
      host.faults = asked === "unanswered" ? host.faults + 1 : 0;
      return asked;
    },
  };

  async function known(name: string): Promise<Host> {
    const host = hosts.get(name) ?? (await lookAt(name));
    hosts.set(name, host);
    return host;
  }

  async function lookAt(name: string): Promise<Host> {
    own ??= addressesOf(ownHosts).then((addresses) => new Set(addresses));
    const [ours, found] = [await own, await addressesOf([hostnameOf(`http://${name}`)])];
    return { isOurs: found.some((address) => ours.has(address)), scheme: "https", faults: 0 };
  }

  async function askAt(host: Host, name: string, path: string): Promise<OldAddressResponse | "unanswered"> {
    try {
      return await askBy(host.scheme);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (host.scheme === "http" || (error.reason !== "refused" && error.reason !== "tls")) return "unanswered";
    }
    try {
      const asked = await askBy("http");
      host.scheme = "http";
      return asked;
    } catch (error) {
      if (error instanceof OutboundError) return "unanswered";
      throw error;
    }

    async function askBy(scheme: Host["scheme"]): Promise<OldAddressResponse | "unanswered"> {
      const first = new URL(`${scheme}://${name}/${path.split("/").map(encodeURIComponent).join("/")}`);
      const answer = await answerAt(first);
      const onward = onwardOf(answer, first);
      const isItself = onward !== undefined && isSamePlace(onward, first);
      const [last, url] = isItself ? [await answerAt(onward), onward] : [answer, first];
      const { status } = last;
      if (status === TOO_MANY || status >= 500) return "unanswered";
      const location = onwardOf(last, url)?.href.slice(0, LOCATION_LENGTH_MAX);
      return { url: first.href, status, ...(location !== undefined && { location }) };
    }
  }

  async function answerAt(url: URL): Promise<OutboundAnswer> {
    const init = {
      ...{ headers: { "user-agent": USER_AGENT }, totalMs: ANSWER_MS },
      ...{ bytesMax: BYTES_MAX, beyond: "cut" as const, isKept: true },
    };
    const answer = await outbound.request(url, { ...init, method: "HEAD" });
    const isRefused = answer.status >= 400 && answer.status !== TOO_MANY;
    return isRefused ? outbound.request(url, { ...init, method: "GET" }) : answer;
  }
}

function onwardOf({ status, headers }: OutboundAnswer, from: URL): URL | undefined {
  const location = status >= 300 && status < 400 ? headers.get("location") : null;
  return location === null ? undefined : (URL.parse(location, from.href) ?? undefined);
}

/** True if the two differ at most in scheme or trailing slash. */
const isSamePlace = (one: URL, other: URL): boolean =>
  /^https?:$/.test(one.protocol) && one.hostname === other.hostname && trimmedPath(one) === trimmedPath(other);

const trimmedPath = ({ pathname }: URL): string => pathname.replace(/\/+$/, "");

/** Returns the addresses of those names that resolve. */
async function addressesOf(names: readonly string[]): Promise<string[]> {
  const found = names.map((name) => systemLookup(name.replace(/^\[(.*)\]$/, "$1"), { all: true }).catch(() => []));
  return (await Promise.all(found)).flat().map(({ address }) => address);
}
