import type { AppProfile } from "@/contract/apps";
import type { AppRow, AppValues } from "./store";

/** Returns the wire form of an app profile, without unset fields. */
export const presentApp = (row: AppRow): AppProfile => ({
  _id: row.id,
  ...presentAppFields(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

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
