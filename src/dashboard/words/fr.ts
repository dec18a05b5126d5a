import type { Words } from "../words";
import { frAnalytics, frAssistant, frComputed } from "./fr/analytics";
import { frApps } from "./fr/apps";
import { frDevelopers } from "./fr/developers";
import { frDomains } from "./fr/domains";
import { frImports } from "./fr/imports";
import { frLink } from "./fr/link";
import { frLinkPage } from "./fr/link-page";
import { frLinks } from "./fr/links";
import { frLive } from "./fr/live";
import { frPages } from "./fr/pages";
import { frReview } from "./fr/review";
import { frRoute } from "./fr/route";
import { frSettings } from "./fr/settings";
import { frShell } from "./fr/shell";

export const fr: Words = {
  ...frShell,
  analytics: frAnalytics,
  apps: frApps,
  assistant: frAssistant,
  computed: frComputed,
  developers: frDevelopers,
  domains: frDomains,
  imports: frImports,
  link: frLink,
  linkPage: frLinkPage,
  links: frLinks,
  live: frLive,
  pages: frPages,
  review: frReview,
  route: frRoute,
  settings: frSettings,
};
