import type { Words } from "../words";
import { ptAnalytics, ptAssistant, ptComputed } from "./pt/analytics";
import { ptApps } from "./pt/apps";
import { ptDevelopers } from "./pt/developers";
import { ptDomains } from "./pt/domains";
import { ptImports } from "./pt/imports";
import { ptLink } from "./pt/link";
import { ptLinkPage } from "./pt/link-page";
import { ptLinks } from "./pt/links";
import { ptLive } from "./pt/live";
import { ptPages } from "./pt/pages";
import { ptReview } from "./pt/review";
import { ptRoute } from "./pt/route";
import { ptSettings } from "./pt/settings";
import { ptShell } from "./pt/shell";

export const pt: Words = {
  ...ptShell,
  analytics: ptAnalytics,
  apps: ptApps,
  assistant: ptAssistant,
  computed: ptComputed,
  developers: ptDevelopers,
  domains: ptDomains,
  imports: ptImports,
  link: ptLink,
  linkPage: ptLinkPage,
  links: ptLinks,
  live: ptLive,
  pages: ptPages,
  review: ptReview,
  route: ptRoute,
  settings: ptSettings,
};
