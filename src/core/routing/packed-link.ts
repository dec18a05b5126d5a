/**
 * Packs a link's definition into little memory: a JSON array of values without names, leaving out values that most
 * links share or that the holder knows already. A compiled definition takes some kilobytes, a packed one some hundred
 * bytes, and unpacking takes a few microseconds. Packed links never leave the process that made them.
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

/**
 * Default values, used where a packed link omits one. Lists every field, so that all unpacked definitions have one
 * shape.
 */
export const USUAL_LINK: LinkDefinition = {
  id: "",
  number: 0,
  version: 0,
  orgId: "",
  orgVersion: 1,
  title: null,
  shortUrl: "",
  defaultUrl: "",
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

/** Fields that the holder of a packed link may know from elsewhere. */
export type KnownOfLink = Pick<LinkDefinition, "id" | "orgId" | "shortUrl">;

const FIELDS = Object.entries(USUAL_LINK).map(([name, usual], place) => ({
  name,
  bit: 1 << place,
  usualJson: JSON.stringify(usual),
}));

/** Packs a definition. The first number is a bit mask of the fields whose values follow. */
export function packLink(definition: LinkDefinition, known: KnownOfLink): string {
  const values = new Map(Object.entries(definition));
  const knownValues = new Map(Object.entries(known));
  let present = 0;
  let packed = "";
  for (const { name, bit, usualJson } of FIELDS) {
    const value = values.get(name);
    // A definition stored by another version may lack a field.
    if (value === undefined) continue;
    const json = JSON.stringify(value);
    if (knownValues.has(name) ? knownValues.get(name) === value : json === usualJson) continue;
    present |= bit;
    packed += `,${json}`;
  }
  return `[${present}${packed}]`;
}

/** Restores a definition that `packLink` packed with the same `known` values. */
export function unpackLink(packed: string, { id, orgId, shortUrl }: KnownOfLink): LinkDefinition {
  const values: unknown[] = JSON.parse(packed);
  const link: Record<string, unknown> = { ...USUAL_LINK, id, orgId, shortUrl };
  let present = Number(values[0]);
  for (let next = 1; present !== 0; present &= present - 1) {
    const field = FIELDS[31 - Math.clz32(present & -present)];
    if (field) link[field.name] = values[next++];
  }
  // All values come from a definition.
  return link as unknown as LinkDefinition;
}
