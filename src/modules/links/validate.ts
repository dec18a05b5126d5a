/**
 * What the schema cannot say of a link's fields: destinations, slug, instants, sizes. All faults are gathered before
 * anything is written, each behind the name of its field; destinations come back normalised.
 */
import type { LinkInput, LinkUpdate } from "@/contract/links";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import { normaliseDestination } from "@/core/destination";
import { NO_INSTANT, parseInstant } from "@/core/instant";
import { checkPathPrefix, checkSlug } from "@/core/slug";
import { checkFreeObject } from "@/http/body";
import { invalid } from "@/http/errors";

type Input = LinkInput | LinkUpdate;

const FREE_OBJECTS = ["deepLinkPayload", "leadCapture", "ctaOverlay"] as const;

/** The input with its destinations normalised and its tags trimmed. Throws 400 with every fault. */
export function checkedFields<Fields extends Input>(input: Fields): Fields {
  const faults: string[] = [];
  const url = (field: string, text: string) => destination(field, text, faults);
  const fields: Fields = { ...input };
  if (input.defaultUrl !== undefined) fields.defaultUrl = url("defaultUrl", input.defaultUrl);
  if (input.rules) fields.rules = input.rules.map((rule, index) => checkedRule(rule, `rules[${index}]`, url));
  if (input.splitTargets) fields.splitTargets = checkedTargets(input.splitTargets, url, faults);
  if (input.ctaOverlay) fields.ctaOverlay = checkedOverlay(input.ctaOverlay, url, faults);
  if (input.tags) fields.tags = checkedTags(input.tags, faults);
  for (const field of FREE_OBJECTS) faults.push(...checkFreeObject(field, input[field]));
  input.retargetingPixels?.forEach((pixel, index) => {
    faults.push(...checkFreeObject(`retargetingPixels[${index}]`, pixel));
  });
  for (const field of ["startsAt", "expiresAt"] as const) {
    if (input[field] && parseInstant(input[field]) === undefined) faults.push(`${field}: ${NO_INSTANT}`);
  }
  if (faults.length > 0) throw invalid(faults);
  return fields;
}

/** `startsAt` before `expiresAt`, of whatever the link ends up with. Throws 400. */
export function checkSchedule(startsAt: Date | null, expiresAt: Date | null): void {
  if (startsAt && expiresAt && startsAt >= expiresAt) throw invalid(["expiresAt: must lie after startsAt"]);
}

export interface CheckedSlug {
  slug: string;
  key: string;
}

/** Throws 400. */
export function checkedSlug(text: string): CheckedSlug {
  const checked = checkSlug(text);
  if (!checked.ok) throw invalid([`slug: ${checked.fault}`]);
  return checked;
}

/** Throws 400. */
export function checkedPrefix(text: string): { prefix: string; key: string } {
  const checked = checkPathPrefix(text);
  if (!checked.ok) throw invalid([`pathPrefix: ${checked.fault}`]);
  return checked;
}

type CheckUrl = (field: string, text: string) => string;

function destination(field: string, text: string, faults: string[]): string {
  const checked = normaliseDestination(text);
  if (checked.ok) return checked.url;
  faults.push(`${field}: ${checked.fault}`);
  return text;
}

const checkedRule = (rule: RoutingRule, path: string, url: CheckUrl): RoutingRule => ({
  ...rule,
  destinationUrl: url(`${path}.destinationUrl`, rule.destinationUrl),
});

function checkedTargets(targets: SplitTarget[], url: CheckUrl, faults: string[]): SplitTarget[] {
  const keys = new Set<string>();
  return targets.map((target, index) => {
    const path = `splitTargets[${index}]`;
    if (keys.has(target.key)) faults.push(`${path}.key: is used twice`);
    keys.add(target.key);
    return {
      ...target,
      destinationUrl: url(`${path}.destinationUrl`, target.destinationUrl),
    };
  });
}

function checkedOverlay(overlay: Record<string, unknown>, url: CheckUrl, faults: string[]): Record<string, unknown> {
  const { buttonUrl } = overlay;
  if (buttonUrl === undefined || buttonUrl === null || buttonUrl === "") return overlay;
  if (typeof buttonUrl === "string") return { ...overlay, buttonUrl: url("ctaOverlay.buttonUrl", buttonUrl) };
  faults.push("ctaOverlay.buttonUrl: expected an absolute http or https URL");
  return overlay;
}

function checkedTags(tags: string[], faults: string[]): string[] {
  tags.forEach((tag, index) => {
    if (tag.trim() === "") faults.push(`tags[${index}]: must not be blank`);
  });
  return [...new Set(tags.map((tag) => tag.trim().normalize("NFC")))];
}
