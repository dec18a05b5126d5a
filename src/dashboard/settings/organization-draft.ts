/** The organization as form fields, and the changes that they result in. */
import type { Schemas } from "../api/client";
import { isSame } from "../drafts/rebase";

export type FullOrganization = Schemas["Organization"];
type Conversion = NonNullable<FullOrganization["settings"]>["conversions"][number];

const BRANDING = ["displayName", "logoUrl", "accentColor", "supportUrl", "footerText"] as const;

/** Fields that show the API's error messages. */
export const SHOWN = ["name", ...BRANDING.map((name) => `branding.${name}`), "settings.conversions"];

export interface OrganizationDraft {
  name: string;
  displayName: string;
  logoUrl: string;
  /** Empty for the default color. */
  accentColor: string;
  supportUrl: string;
  footerText: string;
  appendClickId: boolean;
  conversions: readonly Conversion[];
}

export const organizationDraft = ({ name, branding, settings }: FullOrganization): OrganizationDraft => ({
  name,
  displayName: branding.displayName ?? "",
  logoUrl: branding.logoUrl ?? "",
  accentColor: branding.accentColor ?? "",
  supportUrl: branding.supportUrl ?? "",
  footerText: branding.footerText ?? "",
  appendClickId: settings?.appendClickId ?? false,
  conversions: settings?.conversions ?? [],
});

/** Returns only what differs. Branding and settings are replaced as a whole, and an empty field removes its value. */
export function organizationChanges(saved: OrganizationDraft, draft: OrganizationDraft): Schemas["OrganizationUpdate"] {
  const [was, is] = [bodyOf(saved), bodyOf(draft)];
  return {
    ...(is.name !== was.name && { name: is.name }),
    ...(!isSame(is.branding, was.branding) && { branding: is.branding }),
    ...(!isSame(is.settings, was.settings) && { settings: is.settings }),
  };
}

const bodyOf = ({ name, appendClickId, conversions, ...fields }: OrganizationDraft) => ({
  name,
  branding: Object.fromEntries(BRANDING.map((field) => [field, fields[field].trim() || null])),
  settings: { appendClickId, conversions: [...conversions] },
});
