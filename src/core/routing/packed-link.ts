/**
 * A link's definition in the least memory: JSON without what is as it is for most links. A definition of objects takes
 * some kilobytes once compiled, this some hundred bytes, and comes back in a few microseconds.
 */
import type { LinkDefinition, LinkGate } from "./link";

const OPEN_GATE: LinkGate = {
  isActive: true,
  isDomainVerified: true,
  isUnsafe: false,
  startsAt: null,
  expiresAt: null,
  maxClicks: null,
  passwordHash: null,
};

type Usual = Omit<LinkDefinition, "id" | "number" | "version" | "orgId" | "shortUrl" | "defaultUrl">;

const USUAL: Usual = {
  orgVersion: 1,
  title: null,
  expiredUrl: null,
  rules: [],
  splitTargets: [],
  deepLinkPayload: null,
  utm: null,
  marketing: null,
  app: null,
  appendClickId: false,
  page: null,
  social: null,
  gate: OPEN_GATE,
};

const USUAL_JSON = new Map(Object.entries(USUAL).map(([field, value]) => [field, JSON.stringify(value)]));

export function packLink(definition: LinkDefinition): string {
  const unusual = Object.entries(definition).filter(
    ([field, value]) => USUAL_JSON.get(field) !== JSON.stringify(value),
  );
  return JSON.stringify(Object.fromEntries(unusual));
}

/** Of what `packLink` made, and of a definition's whole JSON. */
export const unpackLink = (packed: string): LinkDefinition => ({ ...USUAL, ...JSON.parse(packed) });
