/** Plans of organizations; `core/entitlements.ts` defines what each allows. */
export const PLANS = ["free", "pro", "scale", "unlimited"] as const;
export type Plan = (typeof PLANS)[number];
