/** The plans an organization may be on; what each allows stands in `core/entitlements.ts`. */
export const PLANS = ["free", "pro", "scale", "unlimited"] as const;
export type Plan = (typeof PLANS)[number];
