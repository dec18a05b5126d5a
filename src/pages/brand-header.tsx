/** The header that says whose page it is: the organization's logo, or the first letter of its name, and the name. */
import { VISITOR_ICONS_PATH } from "@/contract/public";

export interface NamedBrand {
  orgId: string;
  name: string;
  hasLogo: boolean;
}

export const BrandHeader = ({ brand }: { brand: NamedBrand }) => (
  <header>
    {brand.hasLogo ? <img src={pageIconOf(brand)} alt="" width="40" height="40" /> : <Tile name={brand.name} />}
    <span dir="auto" safe>
      {brand.name}
    </span>
  </header>
);

/** Logos are served by this service, so that no other host learns a visitor's address. */
export const pageIconOf = ({ orgId }: Pick<NamedBrand, "orgId">): string => `${VISITOR_ICONS_PATH}/${orgId}`;

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Returns the first letter or digit of a name, in upper case if its script has one; else its first visible character,
 * or a dot if there is none.
 */
export function letterOf(name: string): string {
  let first: string | undefined;
  for (const { segment } of characters.segment(name.slice(0, NAME_LENGTH_MAX))) {
    if (LETTER.test(segment)) return segment.toUpperCase();
    if (!UNSEEN.test(segment)) first ??= segment;
  }
  return first ?? (name && "•");
}

const NAME_LENGTH_MAX = 100;
/** Matches zero-width characters, spaces, and marks without a letter below them. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\p{M}]*$/u;
const LETTER = /^[\p{L}\p{N}]/u;

/** Replaces a missing logo or icon. */
export const Tile = ({ name }: { name: string }) => (
  <span class="tile" aria-hidden="true" safe>
    {letterOf(name)}
  </span>
);
