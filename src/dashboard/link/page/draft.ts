/** The pages that a link shows visitors, as form fields. An empty field means no value. */
import type { Schemas } from "@/dashboard/api/client";
import { isSame } from "@/dashboard/drafts/rebase";
import type { Link, LinkChanges } from "@/dashboard/links/queries";
import { newId } from "../route/draft";

export interface DraftField extends Required<Schemas["LeadField"]> {
  /** Identifies the field while the form is edited. */
  key: string;
}

export interface DraftPixel extends Required<Schemas["RetargetingPixel"]> {
  key: string;
}

export interface LinkPageDraft {
  lead: Required<Omit<Schemas["LeadCapture"], "fields">> & { fields: readonly DraftField[] };
  cta: Required<Schemas["CtaOverlay"]>;
  social: Required<Schemas["SocialInput"]>;
  pixels: readonly DraftPixel[];
}

const BLANK: LinkPageDraft = {
  lead: { enabled: false, title: "", description: "", buttonText: "", consentText: "", fields: [] },
  cta: { enabled: false, message: "", buttonText: "", buttonUrl: "", position: "bottom", mode: "interstitial" },
  social: { title: "", description: "", imageUrl: "" },
  pixels: [],
};

export const newField = (): DraftField => ({ key: newId(), name: "", label: "", type: "text", required: false });
export const newPixel = (): DraftPixel => ({ key: newId(), provider: "meta", id: "", isActive: true });

/** Returns equal drafts for equal versions of a link. */
export const linkPageDraftOf = ({ leadCapture, ctaOverlay, social, retargetingPixels }: Link): LinkPageDraft => ({
  lead: {
    ...BLANK.lead,
    ...leadCapture,
    fields: (leadCapture?.fields ?? []).map((field, at) => ({
      ...{ label: "", type: "text", required: false },
      ...field,
      key: `saved ${at}`,
    })),
  },
  cta: { ...BLANK.cta, ...ctaOverlay },
  social: { ...BLANK.social, ...social },
  pixels: retargetingPixels.map((pixel, at) => ({ isActive: true, ...pixel, key: `saved ${at}` })),
});

type PageChanges = Required<Pick<LinkChanges, "leadCapture" | "ctaOverlay" | "social" | "retargetingPixels">>;

/** Returns only what differs. Each part is replaced as a whole, and a part without content is removed. */
export function linkPageChangesOf(saved: LinkPageDraft, draft: LinkPageDraft): LinkChanges {
  const [was, is] = [linkPageBodyOf(saved), linkPageBodyOf(draft)];
  const parts = ["leadCapture", "ctaOverlay", "social", "retargetingPixels"] as const;
  return Object.fromEntries(parts.filter((part) => !isSame(was[part], is[part])).map((part) => [part, is[part]]));
}

export const linkPageBodyOf = ({ lead: { fields, ...lead }, cta, social, pixels }: LinkPageDraft): PageChanges => {
  const form = fields.length > 0 ? { ...withoutEmpty(lead), fields: fields.map(fieldOf) } : partOf(lead, BLANK.lead);
  return {
    leadCapture: form,
    ctaOverlay: partOf(cta, BLANK.cta),
    social: partOf(social, BLANK.social),
    retargetingPixels: pixels.map(({ key: _, id, ...pixel }) => ({ ...pixel, id: id.trim() })),
  };
};

type Part = Record<string, unknown>;

const partOf = (part: Part, { fields: _, ...blank }: Part) => {
  const said = withoutEmpty(part);
  return isSame(said, withoutEmpty(blank)) ? null : said;
};

const fieldOf = ({ key: _, name, label, type, required }: DraftField): Schemas["LeadField"] => ({
  ...{ name: name.trim(), type, required },
  ...(label.trim() && { label: label.trim() }),
});

/** Removes empty texts. */
const withoutEmpty = (part: Part) =>
  Object.fromEntries(
    Object.entries(part)
      .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value])
      .filter(([, value]) => value !== ""),
  );

/** Paths of the fields that show the API's error messages. */
export const linkPageFields = ({ lead, cta, social, pixels }: LinkPageDraft): string[] => [
  ...Object.keys(lead).map((name) => `leadCapture.${name}`),
  ...lead.fields.flatMap((field, at) => Object.keys(field).map((name) => `leadCapture.fields.${at}.${name}`)),
  ...Object.keys(cta).map((name) => `ctaOverlay.${name}`),
  ...Object.keys(social).map((name) => `social.${name}`),
  ...pixels.flatMap((pixel, at) => Object.keys(pixel).map((name) => `retargetingPixels.${at}.${name}`)),
];
