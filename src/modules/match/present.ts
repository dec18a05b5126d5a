import type { MatchResponse, Provider } from "@/contract/match";
import type { Platform } from "@/contract/platforms";
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import { openData } from "@/core/webhooks/open-data";
import { parseUserAgent } from "@/platform/user-agent";

export interface CountedClaim {
  installId: string;
  openId: string;
}

/**
 * The token's outcome does not matter: all visits with a token led to a store, by whatever rule or target, and the link
 * may have others in its place by now.
 */
export function presentMatch(ids: CountedClaim, definition: LinkDefinition, provider: Provider | null): MatchResponse {
  const link = compileLink(definition);
  return {
    matched: true,
    ...ids,
    deepLinkPayload: definition.deepLinkPayload ?? {},
    destinationUrl: finalDestination(link, link.webRoute, { query: "" }),
    ...(provider ? { installAttributionProvider: provider } : {}),
  };
}

/** Returns the data of the webhook event. */
export const matchEventData = (
  { installId, openId }: CountedClaim,
  { destinationUrl = "", deepLinkPayload = {}, installAttributionProvider }: MatchResponse,
  link: LinkDefinition,
  platform: Platform,
): object =>
  openData({
    openId,
    installId,
    link,
    deepLinkPayload,
    destinationUrl,
    source: "deferred",
    platform,
    installAttributionProvider,
  });

const PLATFORM_OF: Partial<Record<Provider, Platform>> = {
  play_install_referrer: "android",
  app_store_campaign: "ios",
};

/**
 * Determines the platform. HTTP libraries in apps often send no usable user agent; then the store decides, or the
 * only app that the link has.
 */
export function platformOf(userAgent: string, provider: Provider | null, { app }: LinkDefinition): Platform {
  const { platform } = parseUserAgent(userAgent);
  if (platform === "ios" || platform === "android") return platform;
  const ofStore = provider === null ? undefined : PLATFORM_OF[provider];
  if (ofStore) return ofStore;
  if (app?.ios && app.android) return platform;
  return app?.ios ? "ios" : app?.android ? "android" : platform;
}
