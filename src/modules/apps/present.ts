import type { AppProfile } from "@/contract/apps";
import { entityTag, withTag } from "@/http/headers/entity-tag";
import type { AppRow, AppValues } from "./store";

/** Returns the wire form of an app profile with its tag, without unset fields. */
export function presentApp(row: AppRow): AppProfile {
  const shown = {
    _id: row.id,
    ...presentAppFields(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
  return withTag(shown, () => appTag(row));
}

export const appTag = (row: AppRow): string => entityTag({ id: row.id, ...presentAppFields(row) });

/** Returns the fields that a customer sets. */
export const presentAppFields = ({ name, pathPrefix, ios, android, fallback, iconUrl, subtitle }: AppValues) => ({
  name,
  pathPrefix: pathPrefix ?? undefined,
  ios: ios ?? undefined,
  android: android ?? undefined,
  fallback,
  iconUrl: iconUrl ?? undefined,
  subtitle: subtitle ?? undefined,
});
