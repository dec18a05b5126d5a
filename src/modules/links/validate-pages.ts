/**
 * Checks what the schema cannot express about the pages that a link shows its visitors. Each fault is prefixed with
 * its field's name.
 */
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import { CONSENT_FIELD } from "@/core/pages/lead-form";
import { pixelFault } from "@/core/pages/pixels";

/** Names that the form itself uses, or that submit a link's password. */
const RESERVED = /^(?:pw|password|wm_.*)$/i;
/** Browsers submit a line break in a name in another form than it was written, so its value would not be found. */
const LINE_BREAK = /[\r\n]/;

export function leadFaults({ fields = [], consentText }: LeadCapture): string[] {
  const names = new Set(consentText ? [CONSENT_FIELD] : []);
  return fields.flatMap(({ name }, index) => {
    const field = `leadCapture.fields[${index}].name`;
    if (name.trim() === "") return [`${field}: must not be blank`];
    if (LINE_BREAK.test(name)) return [`${field}: must be on one line`];
    if (RESERVED.test(name)) return [`${field}: is reserved`];
    if (names.has(name)) return [`${field}: used twice`];
    names.add(name);
    return [];
  });
}

export function pixelFaults(pixels: readonly RetargetingPixel[]): string[] {
  return pixels.flatMap((pixel, index) => {
    const fault = pixelFault(pixel);
    return fault === null ? [] : [`retargetingPixels[${index}].id: ${fault}`];
  });
}

/** Returns the URL as it is stored, and notes what is wrong with it. */
export type CheckUrl = (field: string, text: string) => string;

/** Returns the overlay with its button's URL normalized by `url`, and without an empty one. */
export function checkedOverlay(overlay: CtaOverlay, url: CheckUrl): CtaOverlay {
  const { buttonUrl, ...rest } = overlay;
  return buttonUrl ? { ...rest, buttonUrl: url("ctaOverlay.buttonUrl", buttonUrl) } : rest;
}

/** Returns the metadata with its image's URL normalized by `url`. */
export const checkedSocial = (social: Social, url: CheckUrl): Social =>
  social.imageUrl === undefined ? social : { ...social, imageUrl: url("social.imageUrl", social.imageUrl) };
