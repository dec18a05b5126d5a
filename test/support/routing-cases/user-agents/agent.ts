import { PLATFORMS } from "@/contract/platforms";
import type { CaseFacts } from "../shape";

export interface Agent {
  userAgent: string;
  facts: Omit<CaseFacts, "languages">;
}

/**
 * Returns a user agent with the facts that it contains. `known` is
 * `platform|deviceType|deviceVendor|deviceModel|browser|osVersion`, each empty if unknown.
 */
export function agent(userAgent: string, known: string): Agent {
  const [platform, deviceType, deviceVendor, deviceModel, browser, osVersion] = known
    .split("|")
    .map((fact) => fact || undefined);
  const facts = {
    platform: PLATFORMS.find((name) => name === platform),
    deviceType,
    deviceVendor,
    deviceModel,
    browser,
    osVersion,
  };
  return { userAgent, facts };
}
