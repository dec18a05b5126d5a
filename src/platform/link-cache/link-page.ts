/** What a link's row says that its visitors see before the destination, or unfurlers in its place. */
import { Value } from "@sinclair/typebox/value";
import { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import { tagOf } from "@/core/pixels";
import type { ServedPage } from "@/core/routing/link";
import type { links } from "@/platform/db/schema";

type PageColumns = Pick<typeof links.$inferSelect, "leadCapture" | "ctaOverlay" | "retargetingPixels">;

/** Null when there is nothing to be seen. What is off, or has been written before shapes were checked, is left out. */
export function servedPageOf({ leadCapture, ctaOverlay, retargetingPixels }: PageColumns): ServedPage | null {
  const lead = leadCapture?.enabled === true && Value.Check(LeadCapture, leadCapture) ? leadCapture : null;
  const cta = ctaOverlay?.enabled === true && Value.Check(CtaOverlay, ctaOverlay) ? ctaOverlay : null;
  const pixels = retargetingPixels.filter(isFired);
  if (!lead && !cta && pixels.length === 0) return null;
  return { kind: "steps", lead, cta, pixels };
}

const isFired = (pixel: RetargetingPixel): boolean =>
  pixel.isActive !== false && Value.Check(RetargetingPixel, pixel) && tagOf(pixel) !== null;

/** Without what is blank; null when nothing is left, and the link looks like its destination. */
export function servedSocialOf({ social }: Pick<typeof links.$inferSelect, "social">): Social | null {
  const said = Object.entries(social ?? {}).filter(([, text]) => text.trim() !== "");
  return said.length === 0 ? null : Object.fromEntries(said);
}
