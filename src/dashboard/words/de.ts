import type { Words } from "../words";
import { deAnalytics, deAssistant, deComputed } from "./de/analytics";
import { deApps } from "./de/apps";
import { deDevelopers } from "./de/developers";
import { deDomains } from "./de/domains";
import { deImports } from "./de/imports";
import { deLink } from "./de/link";
import { deLinkPage } from "./de/link-page";
import { deLinks } from "./de/links";
import { deLive } from "./de/live";
import { dePages } from "./de/pages";
import { deReview } from "./de/review";
import { deRoute } from "./de/route";
import { deSettings } from "./de/settings";
import { deShell } from "./de/shell";

export const de: Words = {
  ...deShell,
  analytics: deAnalytics,
  apps: deApps,
  assistant: deAssistant,
  computed: deComputed,
  developers: deDevelopers,
  domains: deDomains,
  imports: deImports,
  link: deLink,
  linkPage: deLinkPage,
  links: deLinks,
  live: deLive,
  pages: dePages,
  review: deReview,
  route: deRoute,
  settings: deSettings,
};
