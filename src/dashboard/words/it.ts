import type { SpokenWords } from "../words";
import { itLinks } from "./it/links";
import { itShell } from "./it/shell";

export const it: SpokenWords = {
  first: { ...itShell, links: itLinks },
  later: {
    analytics: async () => (await import("./it/analytics")).itAnalytics,
    apps: async () => (await import("./it/apps")).itApps,
    conditions: async () => (await import("./it/conditions")).itConditions,
    developers: async () => (await import("./it/developers")).itDevelopers,
    domains: async () => (await import("./it/domains")).itDomains,
    faults: async () => (await import("./it/faults")).itFaults,
    imports: async () => (await import("./it/imports")).itImports,
    leads: async () => (await import("./it/leads")).itLeads,
    link: async () => (await import("./it/link")).itLink,
    linkPage: async () => (await import("./it/link-page")).itLinkPage,
    live: async () => (await import("./it/live")).itLive,
    pages: async () => (await import("./it/pages")).itPages,
    review: async () => (await import("./it/review")).itReview,
    route: async () => (await import("./it/route")).itRoute,
    selection: async () => (await import("./it/selection")).itSelection,
    settings: async () => (await import("./it/settings")).itSettings,
  },
};
