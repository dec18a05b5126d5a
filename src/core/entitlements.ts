/** What each plan entitles an organization to. */
import type { Plan } from "@/config";

export interface Entitlements {
  /** For how many days raw clicks and opens are kept; null: for ever. Figures made of them stay in any case. */
  retentionDays: number | null;
}

export const ENTITLEMENTS: Record<Plan, Entitlements> = {
  free: { retentionDays: 90 },
  pro: { retentionDays: 400 },
  scale: { retentionDays: 750 },
  unlimited: { retentionDays: null },
};
