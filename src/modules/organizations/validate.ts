/**
 * Checks of an organization's fields that the schema cannot express. All faults are collected before anything is
 * written.
 */
import type { OrganizationUpdate } from "@/contract/accounts/organizations";
import { storedUrl } from "@/core/routing/destination";
import { invalid } from "@/http/errors";
import type { OrganizationValues } from "./store";

const URL_FIELDS = ["logoUrl", "supportUrl"] as const;

/** Returns the name, trimmed. Throws 400 if it is blank. */
export function checkedName(text: string): string {
  const name = text.trim();
  if (name === "") throw invalid(["name: must not be blank"]);
  return name;
}

/** Returns the given fields as they are stored: without nulls, URLs normalized. Throws 400 with every fault. */
export function checkedOrganizationFields({
  name,
  branding,
  settings,
}: OrganizationUpdate): Partial<OrganizationValues> {
  const faults: string[] = [];
  if (name?.trim() === "") faults.push("name: must not be blank");
  const values = {
    ...(name !== undefined && { name: name.trim() }),
    ...(branding !== undefined && { branding: checkedBranding(present(branding ?? {}), faults) }),
    ...(settings !== undefined && { settings: present(settings ?? {}) }),
  };
  if (faults.length > 0) throw invalid(faults);
  return values;
}

function checkedBranding(branding: Record<string, string>, faults: string[]): Record<string, string> {
  const checked = { ...branding };
  if (branding.displayName?.trim() === "") faults.push("branding.displayName: must not be blank");
  for (const field of URL_FIELDS) {
    const text = branding[field];
    if (text !== undefined) checked[field] = storedUrl(`branding.${field}`, text, faults);
  }
  return checked;
}

function present<Value>(fields: Record<string, Value | null | undefined>): Record<string, Value> {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
