/** What the association files of a domain are made of. */
import type { AndroidApp, IosApp } from "@/contract/apps";

export interface AssociatedProfile {
  pathPrefix: string | null;
  ios: IosApp | null;
  android: AndroidApp | null;
}

export interface AssociationSource {
  /** Lists the apps of the domain's organization, oldest first. */
  profiles: readonly AssociatedProfile[];
  /** Holds the domain's own app. */
  appConfig: { ios?: IosApp | null; android?: AndroidApp | null };
  /** Paths of bio pages, like `/about`, which no app should open. */
  excludedPaths: readonly string[];
  /** Whether the domain tells paths apart by case. */
  isCaseSensitive: boolean;
}
