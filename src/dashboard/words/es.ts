import type { SpokenWords } from "../words";
import { esLinks } from "./es/links";
import { esShell } from "./es/shell";

export const es: SpokenWords = {
  first: { ...esShell, links: esLinks },
  later: {
    analytics: async () => (await import("./es/analytics")).esAnalytics,
    apps: async () => (await import("./es/apps")).esApps,
    conditions: async () => (await import("./es/conditions")).esConditions,
    developers: async () => (await import("./es/developers")).esDevelopers,
    domains: async () => (await import("./es/domains")).esDomains,
    faults: async () => (await import("./es/faults")).esFaults,
    imports: async () => (await import("./es/imports")).esImports,
    leads: async () => (await import("./es/leads")).esLeads,
    link: async () => (await import("./es/link")).esLink,
    linkPage: async () => (await import("./es/link-page")).esLinkPage,
    live: async () => (await import("./es/live")).esLive,
    pages: async () => (await import("./es/pages")).esPages,
    review: async () => (await import("./es/review")).esReview,
    route: async () => (await import("./es/route")).esRoute,
    selection: async () => (await import("./es/selection")).esSelection,
    settings: async () => (await import("./es/settings")).esSettings,
  },
};
