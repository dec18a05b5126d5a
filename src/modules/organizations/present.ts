import type { Organization, OrganizationSettings } from "@/contract/accounts/organizations";
import { conversionKinds } from "@/core/conversions";
import { entityTag, withTag } from "@/http/headers/entity-tag";
import type { OrganizationRow, OrganizationValues } from "./store";

export const presentOrganization = ({ id, name, slug, branding }: OrganizationRow): Organization => ({
  _id: id,
  name,
  slug,
  branding,
});

/** Returns the wire form of a single organization with its tag. */
export function presentWithSettings(row: OrganizationRow): Organization {
  const shown = { ...presentOrganization(row), settings: presentSettings(row.settings) };
  return withTag(shown, () => organizationTag(row));
}

export const organizationTag = (row: OrganizationRow): string => entityTag({ id: row.id, ...editableFields(row) });

/** Returns the fields that a customer may change. */
export const editableFields = ({ name, branding, settings }: OrganizationValues) => ({
  name,
  branding,
  settings: presentSettings(settings),
});

/** Settings, with defaults for those that are not set. */
const presentSettings = ({ appendClickId, conversions }: OrganizationRow["settings"]): OrganizationSettings => ({
  appendClickId: appendClickId === true,
  conversions: conversionKinds(conversions),
});
