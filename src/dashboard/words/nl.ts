import type { SpokenWords } from "../words";
import { nlLinks } from "./nl/links";
import { nlShell } from "./nl/shell";

export const nl: SpokenWords = {
  first: { ...nlShell, links: nlLinks },
  later: {
    analytics: async () => (await import("./nl/analytics")).nlAnalytics,
    apps: async () => (await import("./nl/apps")).nlApps,
    conditions: async () => (await import("./nl/conditions")).nlConditions,
    developers: async () => (await import("./nl/developers")).nlDevelopers,
    domains: async () => (await import("./nl/domains")).nlDomains,
    faults: async () => (await import("./nl/faults")).nlFaults,
    imports: async () => (await import("./nl/imports")).nlImports,
    leads: async () => (await import("./nl/leads")).nlLeads,
    link: async () => (await import("./nl/link")).nlLink,
    linkPage: async () => (await import("./nl/link-page")).nlLinkPage,
    live: async () => (await import("./nl/live")).nlLive,
    pages: async () => (await import("./nl/pages")).nlPages,
    review: async () => (await import("./nl/review")).nlReview,
    route: async () => (await import("./nl/route")).nlRoute,
    selection: async () => (await import("./nl/selection")).nlSelection,
    settings: async () => (await import("./nl/settings")).nlSettings,
  },
};
