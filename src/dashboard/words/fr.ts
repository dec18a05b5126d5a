import type { SpokenWords } from "../words";
import { frLinks } from "./fr/links";
import { frShell } from "./fr/shell";

export const fr: SpokenWords = {
  first: { ...frShell, links: frLinks },
  later: {
    analytics: async () => (await import("./fr/analytics")).frAnalytics,
    apps: async () => (await import("./fr/apps")).frApps,
    conditions: async () => (await import("./fr/conditions")).frConditions,
    developers: async () => (await import("./fr/developers")).frDevelopers,
    domains: async () => (await import("./fr/domains")).frDomains,
    faults: async () => (await import("./fr/faults")).frFaults,
    imports: async () => (await import("./fr/imports")).frImports,
    leads: async () => (await import("./fr/leads")).frLeads,
    link: async () => (await import("./fr/link")).frLink,
    linkPage: async () => (await import("./fr/link-page")).frLinkPage,
    live: async () => (await import("./fr/live")).frLive,
    pages: async () => (await import("./fr/pages")).frPages,
    review: async () => (await import("./fr/review")).frReview,
    route: async () => (await import("./fr/route")).frRoute,
    selection: async () => (await import("./fr/selection")).frSelection,
    settings: async () => (await import("./fr/settings")).frSettings,
  },
};
