/** Derives from a link's row what visitors see before the destination, and what unfurlers see instead of it. */
import { Value } from "@sinclair/typebox/value";
import { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import { tagOf } from "@/core/pages/pixels";
import type { ServedPage } from "@/core/routing/link";
import type { links } from "@/platform/db/schema";

type PageColumns = Pick<typeof links.$inferSelect, "leadCapture" | "ctaOverlay" | "retargetingPixels">;

/**
 * Returns null if there is nothing to show. Leaves out parts that are off, parts stored before their shape was validated
 * that do not have it, and blank texts, which have defaults.
 */
export function servedPageOf({ leadCapture, ctaOverlay, retargetingPixels }: PageColumns): ServedPage | null {
  const lead = leadCapture?.enabled === true && Value.Check(LeadCapture, leadCapture) ? shownLead(leadCapture) : null;
  const cta = ctaOverlay?.enabled === true && Value.Check(CtaOverlay, ctaOverlay) ? withoutBlanks(ctaOverlay) : null;
  const pixels = retargetingPixels.filter(isFired);
  if (!lead && !cta && pixels.length === 0) return null;
  return { kind: "steps", lead, cta, pixels };
}

const shownLead = ({ fields, ...texts }: LeadCapture): LeadCapture => ({
  ...withoutBlanks(texts),
  ...(fields && { fields: fields.map(({ name, ...field }) => ({ name, ...withoutBlanks(field) })) }),
});

const withoutBlanks = <Texts extends object>(texts: Texts): Texts => ({
  ...texts,
  ...Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (isBlank(text) ? [[name, undefined]] : []))),
});

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

const isFired = (pixel: RetargetingPixel): boolean =>
  pixel.isActive !== false && Value.Check(RetargetingPixel, pixel) && tagOf(pixel) !== null;

/** Returns the fields that are not blank; null if there are none, and previews show the link like its destination. */
export function servedSocialOf({ social }: Pick<typeof links.$inferSelect, "social">): Social | null {
  const said = Object.entries(social ?? {}).filter(([, text]) => text.trim() !== "");
  return said.length === 0 ? null : Object.fromEntries(said);
}
