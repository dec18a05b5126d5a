/**
 * Judges whether visitors can be told apart by their addresses, or all seem to be the proxy in front of this service,
 * in which case countries, limits and unique visitors are wrong. It looks at the request that asks, and at recent
 * clicks.
 */
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { JudgedFile } from "../association-files";

export interface RecentClicks {
  clicks: number;
  visitors: number;
  /** Networks that the visitors' addresses are in. */
  networks: number;
  /** Clicks whose country is known. */
  located: number;
}

export interface AskingRequest {
  headers: Headers;
  /** The client's address as this service determined it. */
  ip: string | null;
}

export interface ProxySettings {
  trustedProxies: readonly string[];
  clientIpHeader: string | null;
}

const FORWARDED = [
  ...["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip", "fly-client-ip"],
];
const CLICKS_MIN = 20;
const VISITORS_MIN = 5;
/** Up to this many networks without a country may be the private addresses of a proxy on several machines. */
const PROXIES_MAX = 8;

const classOf = createAddressCheck([]);

export function judgeVisitors(recent: RecentClicks, asking: AskingRequest, settings: ProxySettings): JudgedFile {
  const { clicks, visitors, networks, located } = recent;
  const advice = adviceOf(settings);
  const header = FORWARDED.find((name) => asking.headers.has(name));
  const isPrivate = asking.ip !== null && classOf(asking.ip) !== "public";
  if (header && isPrivate) {
    return {
      status: "failed",
      found: `This request comes from a private address; its header ${header} is ignored`,
      advice,
    };
  }
  if (clicks < CLICKS_MIN || visitors < VISITORS_MIN)
    return { status: "unknown", found: "There are too few recent clicks to tell" };
  const found = `The last ${clicks} clicks, of ${visitors} visitors, come from`;
  if (networks === 1) return { status: "failed", found: `${found} one address`, advice };
  if (located === 0 && networks <= PROXIES_MAX)
    return {
      status: "warning",
      found: `${found} ${networks} addresses without a country, as private ones are`,
      advice,
    };
  return { status: "ok", found: `${found} ${networks} networks` };
}

function adviceOf({ trustedProxies, clientIpHeader }: ProxySettings): string {
  const isSet = trustedProxies.length > 0 && clientIpHeader !== null;
  const what = isSet
    ? `check that TRUSTED_PROXIES names the proxy's address, and that the proxy sets the header ${clientIpHeader}`
    : "set TRUSTED_PROXIES to its address and CLIENT_IP_HEADER to the header in which it passes on the visitor's";
  return `If a proxy is in front of this service, ${what}. Until then, countries, limits and unique visitors are wrong.`;
}
