/** What an organization counts as conversions. */
import { CONVERSION_KINDS, type ConversionKind, DEFAULT_CONVERSIONS } from "@/contract/accounts/organizations";

/** As its settings have it; the default for whatever makes no sense. */
export function conversionKinds(setting: unknown): ConversionKind[] {
  if (!Array.isArray(setting)) return [...DEFAULT_CONVERSIONS];
  const kinds = CONVERSION_KINDS.filter((kind) => setting.includes(kind));
  return kinds.length > 0 ? kinds : [...DEFAULT_CONVERSIONS];
}
