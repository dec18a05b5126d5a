/** Which app profile a link has. */
import { slugKey } from "../names/slug";

export interface ProfileChoice {
  id: string;
  pathPrefix: string | null;
}

/**
 * The one the link names; else, of those on offer, the one whose prefix matches its path longest, the first of several
 * alike. A profile without a prefix matches every path. One that is named and gone counts as not named. Prefixes compare as
 * on the link's domain.
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
