/** What a link may show a visitor before the destination: a form, a call to action, pixels. */
import type { Static } from "@sinclair/typebox";
import { flag, list, oneOf, optional, shape, text, withExample } from "../schema";

export const PIXELS_MAX = 20;

const LEAD_FIELD_TYPES = ["text", "email", "tel", "url", "number", "textarea", "checkbox"] as const;
const LEAD_FIELDS_MAX = 20;

export const LeadField = shape(
  {
    name: withExample("email", text(64, 1, "Name of the answer; one line, unique within the form")),
    label: optional(withExample("Your e-mail address", text(200, 0, "Defaults to the name"))),
    type: optional(withExample("email", oneOf(LEAD_FIELD_TYPES, "Defaults to `text`"))),
    required: optional(withExample(true, flag())),
  },
  { $id: "LeadField" },
);
export type LeadField = Static<typeof LeadField>;

export const LeadCapture = shape(
  {
    enabled: optional(withExample(true, flag("Whether visitors have to fill in the form; defaults to false"))),
    title: optional(withExample("Get the guide", text(200))),
    description: optional(withExample("We will send it to your inbox.", text(1000))),
    fields: optional(list(LeadField, LEAD_FIELDS_MAX, "Defaults to a single email address field")),
    buttonText: optional(withExample("Send it", text(80))),
    consentText: optional(withExample("I agree to receive email.", text(1000, 0, "Visitors must agree to this"))),
  },
  {
    $id: "LeadCapture",
    description:
      "A form at the short URL that visitors fill in before they continue; each visit leaves one lead. Showing the form " +
      "counts the visit as a click. Clients that ask for JSON get 403 with the required fields.",
  },
);
export type LeadCapture = Static<typeof LeadCapture>;

export const PIXEL_PROVIDERS = ["meta", "google", "tiktok", "linkedin", "x", "pinterest", "snapchat"] as const;
export type PixelProvider = (typeof PIXEL_PROVIDERS)[number];

export const RetargetingPixel = shape(
  {
    provider: oneOf(PIXEL_PROVIDERS),
    id: withExample("1234567890", text(64, 1, "As the provider shows it; must match the provider's format")),
    isActive: optional(flag("Defaults to true")),
  },
  {
    $id: "RetargetingPixel",
    description:
      "Reports human visits from an intermediate page with the provider's own tag. Skipped for visitors who send " +
      "`Sec-GPC: 1` or `DNT: 1`, and for addresses with `pw`, `password` or a match token, which a script could read.",
  },
);
export type RetargetingPixel = Static<typeof RetargetingPixel>;

const CTA_POSITIONS = ["top", "bottom", "center"] as const;
const CTA_MODES = ["interstitial", "overlay"] as const;

const buttonUrl = {
  ...text(2048, 0, "An absolute http(s) URL; defaults to the link's destination"),
  error: "expected an absolute http or https URL of at most 2048 characters",
};

export const CtaOverlay = shape(
  {
    enabled: optional(withExample(true, flag("Whether visitors see it; defaults to false"))),
    message: optional(withExample("20% off until Sunday", text(500))),
    buttonText: optional(withExample("See the offer", text(80))),
    buttonUrl: optional(withExample("https://shop.example.com/offer", buttonUrl)),
    position: optional(oneOf(CTA_POSITIONS, "Where `overlay` appears on the page; defaults to `bottom`")),
    mode: optional(oneOf(CTA_MODES, "Defaults to `interstitial`")),
  },
  {
    $id: "CtaOverlay",
    description:
      "A page shown before the destination, with the message, the button and a link to continue. `overlay` shows it as " +
      "a card at `position`. The destination is never framed: most sites forbid that (`X-Frame-Options`), and visitors " +
      "could no longer see which address they type into.",
  },
);
export type CtaOverlay = Static<typeof CtaOverlay>;
