/** The organization as fields hold it, and what a changed field means. */
import type { Schemas } from "../api/client";

export type FullOrganization = Schemas["Organization"];
type Conversion = NonNullable<FullOrganization["settings"]>["conversions"][number];

const BRANDING = ["displayName", "logoUrl", "accentColor", "supportUrl", "footerText"] as const;

/** Fields at which the API's refusals stand. */
export const SHOWN = ["name", ...BRANDING.map((name) => `branding.${name}`), "settings.conversions"];

export interface OrganizationDraft {
  name: string;
  displayName: string;
  logoUrl: string;
  /** Empty: the standard one. */
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

/** Only what differs; an empty field takes the value away. */
export function organizationChanges(saved: OrganizationDraft, draft: OrganizationDraft): Schemas["OrganizationUpdate"] {
  const branding: Schemas["BrandingInput"] = {};
  for (const name of BRANDING) {
    if (draft[name] !== saved[name]) branding[name] = draft[name].trim() || null;
  }
  const settings: Schemas["OrganizationSettingsInput"] = {};
  if (draft.appendClickId !== saved.appendClickId) settings.appendClickId = draft.appendClickId;
  if (draft.conversions.join() !== saved.conversions.join()) settings.conversions = [...draft.conversions];
  return {
    ...(draft.name !== saved.name && { name: draft.name }),
    ...(Object.keys(branding).length > 0 && { branding }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}
