import type { Words } from "../words";
import { esAnalytics, esAssistant, esComputed } from "./es/analytics";
import { esApps } from "./es/apps";
import { esDevelopers } from "./es/developers";
import { esDomains } from "./es/domains";
import { esImports } from "./es/imports";
import { esLink } from "./es/link";
import { esLinkPage } from "./es/link-page";
import { esLinks } from "./es/links";
import { esLive } from "./es/live";
import { esPages } from "./es/pages";
import { esReview } from "./es/review";
import { esRoute } from "./es/route";
import { esSettings } from "./es/settings";
import { esShell } from "./es/shell";

export const es: Words = {
  ...esShell,
  analytics: esAnalytics,
  apps: esApps,
  assistant: esAssistant,
  computed: esComputed,
  developers: esDevelopers,
  domains: esDomains,
  imports: esImports,
  link: esLink,
  linkPage: esLinkPage,
  links: esLinks,
  live: esLive,
  pages: esPages,
  review: esReview,
  route: esRoute,
  settings: esSettings,
};
