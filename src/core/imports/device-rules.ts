/** Rules by platform and country, in the order that several services share: iOS, Android, countries, everybody else. */

import { LINK_LIMITS } from "@/contract/links/links";
import { CONDITION_NAMES_MAX, type RoutingRule } from "@/contract/routing";
import { countryFault } from "../codes/countries";
import { isUsableUrl, TOO_MANY_RULES } from "./fitting";
import type { DroppedField, OldRoute } from "./old-link";
import { type AskedRule, having } from "./visitors/question";
import type { CheckedVisitor } from "./visitors/visitor";

export interface DeviceTargets {
  ios?: string;
  android?: string;
  /** ISO 3166-1 code, as the service writes it. */
  countries: readonly [code: string, url: string][];
  everybody: string | undefined;
}

/** The fields in which the service has the two, as it names them. */
const DEVICE_FIELDS = { ios: "ios", android: "android" };

/**
 * Reports URLs that links cannot lead to, and countries beyond the rules that a link may have.
 *
 * Countries that lead to the same URL share rules, each of as many as a condition may name: a link has few rules, and
 * services name many countries.
 */
export function deviceRules(
  { ios, android, countries }: DeviceTargets,
  dropped: DroppedField[],
  fields = DEVICE_FIELDS,
): RoutingRule[] {
  const wanted: Omit<RoutingRule, "priority">[] = [];
  if (ios && isUsableUrl(fields.ios, ios, dropped))
    wanted.push({ destinationUrl: ios, conditions: { platform: ["ios"] } });
  if (android && isUsableUrl(fields.android, android, dropped))
    wanted.push({ destinationUrl: android, conditions: { platform: ["android"] } });
  const urls = new Map<string, string>();
  for (const [country, url] of countries) {
    const code = country.toUpperCase();
    const fault = countryFault(code);
    if (fault) dropped.push({ field: `geo.${country}`, why: fault });
    else if (!urls.has(code) && isUsableUrl(`geo.${country}`, url, dropped)) urls.set(code, url);
  }
  for (const [destinationUrl, group] of Map.groupBy(urls, ([, url]) => url))
    for (const countries of inParts(group.map(([code]) => code)))
      if (wanted.length < LINK_LIMITS.rulesMax) wanted.push({ destinationUrl, conditions: { countries } });
      else dropped.push({ field: `geo.${countries.join(", ")}`, why: TOO_MANY_RULES });
  return wanted.map((rule, index) => ({ priority: index + 1, ...rule }));
}

const inParts = (codes: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(codes.length / CONDITION_NAMES_MAX) }, (_, index) =>
    codes.slice(index * CONDITION_NAMES_MAX, (index + 1) * CONDITION_NAMES_MAX),
  );

export function deviceRoute(targets: DeviceTargets, { platform, country }: CheckedVisitor): OldRoute {
  const { ios, android, countries, everybody } = targets;
  const own = platform === "ios" ? ios : platform === "android" ? android : undefined;
  const ofCountry = countries.find(([code]) => code.toUpperCase() === country)?.[1];
  const url = own ?? ofCountry ?? everybody;
  return url === undefined ? null : { url };
}

/** Returns what rules by country ask. Visitors come from countries only. */
export const countryRules = ({ countries }: DeviceTargets): AskedRule[] =>
  countries.flatMap(([code]) => {
    const own = code.toUpperCase();
    if (countryFault(own)) return [];
    const changes = [own, null].map((country) => having({ country }));
    return [[{ key: own, changes: () => changes, holds: ({ country }) => country === own, countries: [own] }]];
  });

interface Ends {
  expiresAt?: number;
  expiredUrl?: string;
  /** How many more visits the link admits. */
  visitsLeft?: number;
}

/** Returns where an ended link leads; null if the link has not ended. */
export function endedRoute({ expiresAt, expiredUrl, visitsLeft }: Ends, { at, visits }: CheckedVisitor): OldRoute {
  const hasEnded = expiresAt !== undefined && at >= expiresAt;
  if (!hasEnded && (visitsLeft === undefined || visits < visitsLeft)) return null;
  return expiredUrl === undefined ? { ended: true } : { url: expiredUrl };
}
