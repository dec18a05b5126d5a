import { enAnalytics, enAssistant, enComputed } from "./en/analytics";
import { enApps } from "./en/apps";
import { enDevelopers } from "./en/developers";
import { enDomains } from "./en/domains";
import { enImports } from "./en/imports";
import { enLink } from "./en/link";
import { enLinkPage } from "./en/link-page";
import { enLinks } from "./en/links";
import { enLive } from "./en/live";
import { enPages } from "./en/pages";
import { enReview } from "./en/review";
import { enRoute } from "./en/route";
import { enSettings } from "./en/settings";
import { enShell } from "./en/shell";

export const en = {
  ...enShell,
  analytics: enAnalytics,
  apps: enApps,
  assistant: enAssistant,
  computed: enComputed,
  developers: enDevelopers,
  domains: enDomains,
  imports: enImports,
  link: enLink,
  linkPage: enLinkPage,
  links: enLinks,
  live: enLive,
  pages: enPages,
  review: enReview,
  route: enRoute,
  settings: enSettings,
};
