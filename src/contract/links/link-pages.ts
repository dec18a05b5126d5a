/** What a link may show a visitor before the destination: a form, a call to action, pixels. */
import { type Static, Type } from "@sinclair/typebox";
import { flag, list, oneOf, optional, shape, shown, text } from "../schema";

export const PIXELS_MAX = 20;

const LEAD_FIELD_TYPES = ["text", "email", "tel", "url", "number", "textarea", "checkbox"] as const;
const LEAD_FIELDS_MAX = 20;

export const LeadField = shape(
  {
    name: shown("email", text(64, 1, "Names the answer; one line, unique within the form")),
    label: optional(shown("Your e-mail address", text(200, 0, "The name when absent"))),
    type: optional(shown("email", oneOf(LEAD_FIELD_TYPES, "`text` when absent"))),
    required: optional(shown(true, flag())),
  },
  { $id: "LeadField" },
);
export type LeadField = Static<typeof LeadField>;

export const LeadCapture = shape(
  {
    enabled: optional(shown(true, flag("Whether visitors are asked; false when absent"))),
    title: optional(shown("Get the guide", text(200))),
    description: optional(shown("We send it to your inbox.", text(1000))),
    fields: optional(list(LeadField, LEAD_FIELDS_MAX, "An e-mail address alone when absent")),
    buttonText: optional(shown("Send it", text(80))),
    consentText: optional(shown("I agree to be written to.", text(1000, 0, "Has to be agreed to"))),
  },
  {
    $id: "LeadCapture",
    description:
      "A form at the short URL that visitors fill in before they go on; each visit leaves one lead. A visit counts as a " +
      "click when the form is shown. Clients that ask for JSON get 403, with the fields that are asked for.",
  },
);
export type LeadCapture = Static<typeof LeadCapture>;

export const PIXEL_PROVIDERS = ["meta", "google", "tiktok", "linkedin", "x", "pinterest", "snapchat"] as const;
export type PixelProvider = (typeof PIXEL_PROVIDERS)[number];

export const RetargetingPixel = shape(
  {
    provider: oneOf(PIXEL_PROVIDERS),
    id: shown("1234567890", text(64, 1, "As the provider shows it; checked by the provider's format")),
    isActive: optional(flag("True when absent")),
  },
  {
    $id: "RetargetingPixel",
    description:
      "Told of a person's visit from a page in between, by the provider's own tag. Skipped for visitors who send " +
      "`Sec-GPC: 1` or `DNT: 1`, and on an address with `pw`, `password` or a match token, which a script could read.",
  },
);
export type RetargetingPixel = Static<typeof RetargetingPixel>;

const CTA_POSITIONS = ["top", "bottom", "center"] as const;
const CTA_MODES = ["interstitial", "overlay"] as const;

const buttonUrl = Type.String({
  maxLength: 2048,
  description: "An absolute http(s) URL; the link's destination when absent",
  error: "expected an absolute http or https URL of at most 2048 characters",
});

export const CtaOverlay = shape(
  {
    enabled: optional(shown(true, flag("Whether visitors see it; false when absent"))),
    message: optional(shown("20 % off until Sunday", text(500))),
    buttonText: optional(shown("See the offer", text(80))),
    buttonUrl: optional(shown("https://shop.example.com/offer", buttonUrl)),
    position: optional(oneOf(CTA_POSITIONS, "Where `overlay` stands on the page; `bottom` when absent")),
    mode: optional(oneOf(CTA_MODES, "`interstitial` when absent")),
  },
  {
    $id: "CtaOverlay",
    description:
      "A page of ours before the destination, with the message, the button and a link that goes on. `overlay` shows it " +
      "as a card at `position`. The destination is never framed under it: most sites forbid that (`X-Frame-Options`), " +
      "and what a visitor types there would no longer stand under its own address.",
  },
);
export type CtaOverlay = Static<typeof CtaOverlay>;
