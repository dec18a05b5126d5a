import type { Words } from "../words";
import { itAnalytics, itAssistant, itComputed } from "./it/analytics";
import { itApps } from "./it/apps";
import { itDevelopers } from "./it/developers";
import { itDomains } from "./it/domains";
import { itImports } from "./it/imports";
import { itLink } from "./it/link";
import { itLinkPage } from "./it/link-page";
import { itLinks } from "./it/links";
import { itLive } from "./it/live";
import { itPages } from "./it/pages";
import { itReview } from "./it/review";
import { itRoute } from "./it/route";
import { itSettings } from "./it/settings";
import { itShell } from "./it/shell";

export const it: Words = {
  ...itShell,
  analytics: itAnalytics,
  apps: itApps,
  assistant: itAssistant,
  computed: itComputed,
  developers: itDevelopers,
  domains: itDomains,
  imports: itImports,
  link: itLink,
  linkPage: itLinkPage,
  links: itLinks,
  live: itLive,
  pages: itPages,
  review: itReview,
  route: itRoute,
  settings: itSettings,
};
