import type { SpokenWords } from "../words";
import { ptLinks } from "./pt/links";
import { ptShell } from "./pt/shell";

export const pt: SpokenWords = {
  first: { ...ptShell, links: ptLinks },
  later: {
    analytics: async () => (await import("./pt/analytics")).ptAnalytics,
    apps: async () => (await import("./pt/apps")).ptApps,
    conditions: async () => (await import("./pt/conditions")).ptConditions,
    developers: async () => (await import("./pt/developers")).ptDevelopers,
    domains: async () => (await import("./pt/domains")).ptDomains,
    faults: async () => (await import("./pt/faults")).ptFaults,
    imports: async () => (await import("./pt/imports")).ptImports,
    leads: async () => (await import("./pt/leads")).ptLeads,
    link: async () => (await import("./pt/link")).ptLink,
    linkPage: async () => (await import("./pt/link-page")).ptLinkPage,
    live: async () => (await import("./pt/live")).ptLive,
    pages: async () => (await import("./pt/pages")).ptPages,
    review: async () => (await import("./pt/review")).ptReview,
    route: async () => (await import("./pt/route")).ptRoute,
    selection: async () => (await import("./pt/selection")).ptSelection,
    settings: async () => (await import("./pt/settings")).ptSettings,
  },
};
