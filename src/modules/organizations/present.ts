import type { Organization, OrganizationSettings } from "@/contract/accounts/organizations";
import { conversionKinds } from "@/core/conversions";
import type { OrganizationRow } from "./store";

export const presentOrganization = ({ id, name, slug, branding }: OrganizationRow): Organization => ({
  _id: id,
  name,
  slug,
  branding,
});

export const presentWithSettings = (row: OrganizationRow): Organization => ({
  ...presentOrganization(row),
  settings: presentSettings(row.settings),
});

/** Settings, with defaults for those that are not set. */
export const presentSettings = ({ appendClickId, conversions }: OrganizationRow["settings"]): OrganizationSettings => ({
  appendClickId: appendClickId === true,
  conversions: conversionKinds(conversions),
});
