/**
 * Checks what the schema cannot express about a link's fields: destinations, slug, instants, sizes. Faults are
 * collected before anything is written, each prefixed with its field's name; destinations are returned in normalized
 * form.
 */
import { type LinkInput, LinkUpdate } from "@/contract/links/links";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import { checkPathPrefix } from "@/core/names/slug";
import { storedTag } from "@/core/names/tag";
import { storedUrl } from "@/core/routing/destination";
import { keptQueryFaults } from "@/core/rules/request-checks";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { checkFreeObject } from "@/http/body/free-object";
import { unknownFieldFaults } from "@/http/body/unlisted-fields";
import { invalid } from "@/http/errors";
import { type CheckUrl, checkedOverlay, checkedSocial, leadFaults, pixelFaults } from "./validate-pages";

type Input = LinkInput | LinkUpdate;

/**
 * Returns the input with normalized destinations, trimmed tags, and no title instead of a blank one. Throws 400 with
 * every fault.
 */
export function checkedFields<Fields extends Input>(input: Fields): Fields {
  const faults = unknownFieldFaults(LinkUpdate, input);
  const url = (field: string, text: string) => storedUrl(field, text, faults);
  const fields: Fields = { ...input };
  if (input.title?.trim() === "") fields.title = null;
  if (input.defaultUrl !== undefined) fields.defaultUrl = url("defaultUrl", input.defaultUrl);
  if (input.expiredUrl) fields.expiredUrl = url("expiredUrl", input.expiredUrl);
  if (input.rules) {
    fields.rules = input.rules.map((rule, index) => checkedRule(rule, `rules[${index}]`, url));
    faults.push(...input.rules.flatMap(conditionFaults));
  }
  if (input.splitTargets) fields.splitTargets = checkedTargets(input.splitTargets, url, faults);
  if (input.ctaOverlay) fields.ctaOverlay = checkedOverlay(input.ctaOverlay, url);
  if (input.social) fields.social = checkedSocial(input.social, url);
  if (input.tags) fields.tags = tagsOf(input.tags, faults);
  faults.push(...checkFreeObject("deepLinkPayload", input.deepLinkPayload));
  if (input.leadCapture) faults.push(...leadFaults(input.leadCapture));
  if (input.retargetingPixels) faults.push(...pixelFaults(input.retargetingPixels));
  for (const field of ["startsAt", "expiresAt"] as const) {
    if (input[field] && parseInstant(input[field]) === undefined) faults.push(`${field}: ${NO_INSTANT}`);
  }
  if (faults.length > 0) throw invalid(faults);
  return fields;
}

/** Requires `startsAt` to be before `expiresAt`; pass the values that the link will end up with. Throws 400. */
export function checkSchedule(startsAt: Date | null, expiresAt: Date | null): void {
  if (startsAt && expiresAt && startsAt >= expiresAt) throw invalid(["expiresAt: must be after startsAt"]);
}

/** Throws 400. */
export function checkedPrefix(text: string): { prefix: string; key: string } {
  const checked = checkPathPrefix(text);
  if (!checked.ok) throw invalid([`pathPrefix: ${checked.fault}`]);
  return checked;
}

/** Keeps only the fields of a rule: rows written long ago may be sent back with others, which have no meaning. */
const checkedRule = (
  { number, priority, destinationUrl, conditions }: RoutingRule,
  path: string,
  url: CheckUrl,
): RoutingRule => ({
  ...(number !== undefined && { number }),
  ...(priority !== undefined && { priority }),
  destinationUrl: url(`${path}.destinationUrl`, destinationUrl),
  ...(conditions !== undefined && { conditions }),
});

const conditionFaults = ({ conditions = {} }: RoutingRule, index: number): string[] =>
  keptQueryFaults(conditions).map((fault) => `rules[${index}].conditions.${fault}`);

function checkedTargets(targets: SplitTarget[], url: CheckUrl, faults: string[]): SplitTarget[] {
  const keys = new Set<string>();
  return targets.map((target, index) => {
    const path = `splitTargets[${index}]`;
    if (keys.has(target.key)) faults.push(`${path}.key: used twice`);
    keys.add(target.key);
    const { key, label, destinationUrl, weight, isActive } = target;
    return {
      key,
      ...(label !== undefined && { label }),
      destinationUrl: url(`${path}.destinationUrl`, destinationUrl),
      ...(weight !== undefined && { weight }),
      ...(isActive !== undefined && { isActive }),
    };
  });
}

/** Returns the tags trimmed, in NFC and without duplicates. Throws 400 for blank ones. */
export function checkedTags(tags: string[]): string[] {
  const faults: string[] = [];
  const checked = tagsOf(tags, faults);
  if (faults.length > 0) throw invalid(faults);
  return checked;
}

function tagsOf(tags: string[], faults: string[]): string[] {
  tags.forEach((tag, index) => {
    if (tag.trim() === "") faults.push(`tags[${index}]: must not be blank`);
  });
  return [...new Set(tags.map(storedTag))];
}
