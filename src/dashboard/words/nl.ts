import type { Words } from "../words";
import { nlAnalytics, nlAssistant, nlComputed } from "./nl/analytics";
import { nlApps } from "./nl/apps";
import { nlDevelopers } from "./nl/developers";
import { nlDomains } from "./nl/domains";
import { nlImports } from "./nl/imports";
import { nlLink } from "./nl/link";
import { nlLinkPage } from "./nl/link-page";
import { nlLinks } from "./nl/links";
import { nlLive } from "./nl/live";
import { nlPages } from "./nl/pages";
import { nlReview } from "./nl/review";
import { nlRoute } from "./nl/route";
import { nlSettings } from "./nl/settings";
import { nlShell } from "./nl/shell";

export const nl: Words = {
  ...nlShell,
  analytics: nlAnalytics,
  apps: nlApps,
  assistant: nlAssistant,
  computed: nlComputed,
  developers: nlDevelopers,
  domains: nlDomains,
  imports: nlImports,
  link: nlLink,
  linkPage: nlLinkPage,
  links: nlLinks,
  live: nlLive,
  pages: nlPages,
  review: nlReview,
  route: nlRoute,
  settings: nlSettings,
};
