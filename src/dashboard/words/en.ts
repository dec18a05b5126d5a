import { enLinks } from "./en/links";
import { enShell } from "./en/shell";

export const en = {
  first: { ...enShell, links: enLinks },
  later: {
    analytics: async () => (await import("./en/analytics")).enAnalytics,
    apps: async () => (await import("./en/apps")).enApps,
    conditions: async () => (await import("./en/conditions")).enConditions,
    developers: async () => (await import("./en/developers")).enDevelopers,
    domains: async () => (await import("./en/domains")).enDomains,
    faults: async () => (await import("./en/faults")).enFaults,
    imports: async () => (await import("./en/imports")).enImports,
    leads: async () => (await import("./en/leads")).enLeads,
    link: async () => (await import("./en/link")).enLink,
    linkPage: async () => (await import("./en/link-page")).enLinkPage,
    live: async () => (await import("./en/live")).enLive,
    pages: async () => (await import("./en/pages")).enPages,
    review: async () => (await import("./en/review")).enReview,
    route: async () => (await import("./en/route")).enRoute,
    selection: async () => (await import("./en/selection")).enSelection,
    settings: async () => (await import("./en/settings")).enSettings,
  },
};
