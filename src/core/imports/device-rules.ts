/** Rules by platform and country, in the order that several services share: iOS, Android, countries, everybody else. */
import type { RoutingRule } from "@/contract/routing";
import { countryFault } from "../codes/countries";
import type { CheckedVisitor, DroppedField, OldRoute } from "./old-link";

export interface DeviceTargets {
  ios?: string;
  android?: string;
  /** ISO 3166-1 code, as the service writes it. */
  countries: readonly [code: string, url: string][];
  everybody: string | undefined;
}

export function deviceRules({ ios, android, countries }: DeviceTargets, dropped: DroppedField[]): RoutingRule[] {
  const wanted: Omit<RoutingRule, "priority">[] = [];
  if (ios) wanted.push({ destinationUrl: ios, conditions: { platform: ["ios"] } });
  if (android) wanted.push({ destinationUrl: android, conditions: { platform: ["android"] } });
  for (const [country, destinationUrl] of countries) {
    const fault = countryFault(country.toUpperCase());
    if (fault) dropped.push({ field: `geo.${country}`, why: fault });
    else wanted.push({ destinationUrl, conditions: { countries: [country.toUpperCase()] } });
  }
  return wanted.map((rule, index) => ({ priority: index + 1, ...rule }));
}

export function deviceRoute(targets: DeviceTargets, { platform, country }: CheckedVisitor): OldRoute {
  const { ios, android, countries, everybody } = targets;
  const own = platform === "ios" ? ios : platform === "android" ? android : undefined;
  const ofCountry = countries.find(([code]) => code.toUpperCase() === country)?.[1];
  const url = own ?? ofCountry ?? everybody;
  return url === undefined ? null : { url };
}

/** Returns where an ended link leads; null if the link has not ended. */
export function endedRoute(expiresAt: number | undefined, expiredUrl: string | undefined, at: number): OldRoute {
  if (expiresAt === undefined || at < expiresAt) return null;
  return expiredUrl === undefined ? { ended: true } : { url: expiredUrl };
}
