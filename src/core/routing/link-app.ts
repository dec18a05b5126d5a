/** Chooses a link's app profile. */
import { slugKey } from "../names/slug";

export interface ProfileChoice {
  id: string;
  pathPrefix: string | null;
}

/**
 * Returns the profile that the link names; otherwise the one with the longest prefix that matches the link's path,
 * and the first one if several tie. A profile without a prefix matches every path. A named profile that no longer
 * exists counts as not named. Prefixes are compared like slugs on the link's domain.
 */
export function profileOfLink<Profile extends ProfileChoice>(
  profiles: readonly Profile[],
  link: { appProfileId: string | null; prefixKey: string },
  isCaseSensitive: boolean,
): Profile | undefined {
  const named = profiles.find(({ id }) => id === link.appProfileId);
  if (named) return named;
  const keyed = profiles.map((profile) => ({ profile, key: slugKey(profile.pathPrefix ?? "", isCaseSensitive) }));
  const matching = keyed.filter(({ key }) => key === "" || `${link.prefixKey}/`.startsWith(`${key}/`));
  return matching.toSorted((one, other) => other.key.length - one.key.length)[0]?.profile;
}
