/**
 * A link's definition in the least memory: the values of a JSON array without their names, and without what is as it is for
 * most links or stands elsewhere. A definition of objects takes some kilobytes once compiled, this some hundred bytes, and
 * comes back in a few microseconds. It never leaves the process that made it.
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

/** What a definition without anything of its own has; all of its fields, so that those that are unpacked have one shape. */
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

/** Fields that whoever keeps a packed link knows by other means, where it does. */
export type KnownOfLink = Pick<LinkDefinition, "id" | "orgId" | "shortUrl">;

const FIELDS = Object.entries(USUAL_LINK).map(([name, usual], place) => ({
  name,
  bit: 1 << place,
  usualJson: JSON.stringify(usual),
}));

/** Its first number says whose values follow. */
export function packLink(definition: LinkDefinition, known: KnownOfLink): string {
  const values = new Map(Object.entries(definition));
  const knownValues = new Map(Object.entries(known));
  let present = 0;
  let packed = "";
  for (const { name, bit, usualJson } of FIELDS) {
    const value = values.get(name);
    // A definition that another version kept may lack one.
    if (value === undefined) continue;
    const json = JSON.stringify(value);
    if (knownValues.has(name) ? knownValues.get(name) === value : json === usualJson) continue;
    present |= bit;
    packed += `,${json}`;
  }
  return `[${present}${packed}]`;
}

/** Of what `packLink` made with the same known. */
export function unpackLink(packed: string, { id, orgId, shortUrl }: KnownOfLink): LinkDefinition {
  const values: unknown[] = JSON.parse(packed);
  const link: Record<string, unknown> = { ...USUAL_LINK, id, orgId, shortUrl };
  let present = Number(values[0]);
  for (let next = 1; present !== 0; present &= present - 1) {
    const field = FIELDS[31 - Math.clz32(present & -present)];
    if (field) link[field.name] = values[next++];
  }
  // Its values are a definition's own.
  return link as unknown as LinkDefinition;
}
