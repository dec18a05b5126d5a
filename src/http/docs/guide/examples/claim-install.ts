export interface ClaimedLink {
  matched: boolean;
  destinationUrl?: string;
  deepLinkPayload?: Record<string, unknown>;
}

/**
 * Claims the link on Android. Pass the whole referrer that the Play Install Referrer library returns on first start.
 */
export const claimReferrer = (service: string, installReferrer: string): Promise<ClaimedLink> =>
  post(`${service}/api/v1/match/install-attribution`, {
    installAttributionToken: installReferrer,
    provider: "play_install_referrer",
  });

/**
 * Claims the link on iOS from the clipboard's text on first start. Returns null if that is not a short URL with a
 * token.
 */
export async function claimClipboard(service: string, clipboard: string): Promise<ClaimedLink | null> {
  const matchToken = URL.canParse(clipboard) ? new URL(clipboard).searchParams.get("match_token") : null;
  return matchToken ? post(`${service}/api/v1/match`, { matchToken }) : null;
}

async function post(url: string, body: object): Promise<ClaimedLink> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Waymark returned ${response.status}; try again at the next start`);
  return (await response.json()) as ClaimedLink;
}
