import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { AndroidApp, IosApp } from "@/contract/apps";
import { organizations } from "../accounts/organizations";
import { createdAt, orgId, primaryId, updatedAt } from "../columns";

export const appProfiles = pgTable(
  "app_profiles",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    pathPrefix: text("path_prefix"),
    ios: jsonb("ios").$type<IosApp>(),
    android: jsonb("android").$type<AndroidApp>(),
    fallback: text("fallback", { enum: ["store", "web"] })
      .notNull()
      .default("store"),
    iconUrl: text("icon_url"),
    subtitle: text("subtitle"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("app_profiles_org").on(table.orgId, table.id)],
);
