/** The input of a domain's association files. */
import type { AndroidApp, IosApp } from "@/contract/apps";

export interface AssociatedProfile {
  pathPrefix: string | null;
  ios: IosApp | null;
  android: AndroidApp | null;
}

export interface AssociationSource {
  /** The apps of the domain's organization, oldest first. */
  profiles: readonly AssociatedProfile[];
  /** The domain's own app. */
  appConfig: { ios?: IosApp | null; android?: AndroidApp | null };
  /** Paths of bio pages, like `/about`, which no app should open. */
  excludedPaths: readonly string[];
  /** Whether the domain's paths are case-sensitive. */
  isCaseSensitive: boolean;
  /** Whether the service's own pages are served on the domain, which no app should open either. */
  isDashboard?: boolean;
}
