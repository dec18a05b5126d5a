/** The events that an organization counts as conversions. */
import { CONVERSION_KINDS, type ConversionKind, DEFAULT_CONVERSIONS } from "@/contract/accounts/organizations";

/** Returns the kinds from the organization's settings, or the default if the setting is invalid. */
export function conversionKinds(setting: unknown): ConversionKind[] {
  if (!Array.isArray(setting)) return [...DEFAULT_CONVERSIONS];
  const kinds = CONVERSION_KINDS.filter((kind) => setting.includes(kind));
  return kinds.length > 0 ? kinds : [...DEFAULT_CONVERSIONS];
}
