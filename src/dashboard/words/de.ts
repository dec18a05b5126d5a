import type { SpokenWords } from "../words";
import { deLinks } from "./de/links";
import { deShell } from "./de/shell";

export const de: SpokenWords = {
  first: { ...deShell, links: deLinks },
  later: {
    analytics: async () => (await import("./de/analytics")).deAnalytics,
    apps: async () => (await import("./de/apps")).deApps,
    conditions: async () => (await import("./de/conditions")).deConditions,
    developers: async () => (await import("./de/developers")).deDevelopers,
    domains: async () => (await import("./de/domains")).deDomains,
    faults: async () => (await import("./de/faults")).deFaults,
    imports: async () => (await import("./de/imports")).deImports,
    leads: async () => (await import("./de/leads")).deLeads,
    link: async () => (await import("./de/link")).deLink,
    linkPage: async () => (await import("./de/link-page")).deLinkPage,
    live: async () => (await import("./de/live")).deLive,
    pages: async () => (await import("./de/pages")).dePages,
    review: async () => (await import("./de/review")).deReview,
    route: async () => (await import("./de/route")).deRoute,
    selection: async () => (await import("./de/selection")).deSelection,
    settings: async () => (await import("./de/settings")).deSettings,
  },
};
