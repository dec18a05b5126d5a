/** What the schema cannot say of what a link shows its visitors. Faults stand behind the names of their fields. */
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import { CONSENT_FIELD } from "@/core/lead-form";
import { pixelFault } from "@/core/pixels";

/** Names that the form itself sends by, or that a link's password comes by. */
const RESERVED = /^(?:pw|password|wm_.*)$/i;
/** Browsers send a line break in a name as another than it is written with, so that no answer would be found by it. */
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

type CheckUrl = (field: string, text: string) => string;

/** With the button's URL normalised by `url`; an empty one is none. */
export function checkedOverlay(overlay: CtaOverlay, url: CheckUrl): CtaOverlay {
  const { buttonUrl, ...rest } = overlay;
  return buttonUrl ? { ...rest, buttonUrl: url("ctaOverlay.buttonUrl", buttonUrl) } : rest;
}

/** With the image's URL normalised by `url`. */
export const checkedSocial = (social: Social, url: CheckUrl): Social =>
  social.imageUrl === undefined ? social : { ...social, imageUrl: url("social.imageUrl", social.imageUrl) };
