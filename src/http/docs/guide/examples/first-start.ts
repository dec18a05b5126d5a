import { type ClaimedLink, claimClipboard, claimReferrer } from "./claim-install";
import { type OpenedLink, openLink } from "./open-link";

/**
 * What your app can find out when it starts. In React Native, use `Linking`, a clipboard library and your own
 * storage.
 */
export interface AppStart {
  platform: "ios" | "android";
  /** The URL that opened the app. */
  url: string | null;
  /**
   * True until `linkOfStart` has returned once. It throws if Waymark could not say, for example because the phone is
   * offline: the next start then counts as the first one, too.
   */
  isFirst: boolean;
  installReferrer(): Promise<string | null>;
  clipboard(): Promise<string | null>;
}

/** Returns the link that brought the visitor here, directly or through the store, or null if there is none. */
export async function linkOfStart(service: string, start: AppStart): Promise<OpenedLink | ClaimedLink | null> {
  if (start.url !== null) return openLink(service, start.url, start.platform);
  if (!start.isFirst) return null;
  const claimed = await claimOf(service, start);
  return claimed?.matched ? claimed : null;
}

async function claimOf(service: string, start: AppStart): Promise<ClaimedLink | null> {
  const carried = start.platform === "android" ? await start.installReferrer() : await start.clipboard();
  if (!carried) return null;
  return start.platform === "android" ? claimReferrer(service, carried) : claimClipboard(service, carried);
}
