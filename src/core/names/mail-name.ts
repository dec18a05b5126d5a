/**
 * A name that a customer chose, as it may stand in a mail to somebody who knows neither: nothing in it is a link, an
 * address or a telephone number, nor turns or hides what stands around it. Mail programs make links of bare domains too.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\s]+/gu;
/** What makes a scheme, a host, a path of one or a mailbox when something follows at once. NFKC has made the others of these. */
const JOINTS = /[.:@/\\\u3002\u2024\u2044\u2215\ufe52](?=[^\s])/gu;
/** Seven digits and more, however they are written apart. */
const LONG_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/gu;
/** In a mail it stands between quotes. */
const QUOTES = /["“”„«»<>]/gu;

const LENGTH_MAX = 60;

/** Empty where nothing is left of it. */
export function mailName(name: string): string {
  const visible = name.toWellFormed().normalize("NFKC").replace(UNSEEN, " ");
  const plain = visible.replace(QUOTES, " ").replace(LONG_NUMBER, "…").replace(JOINTS, " ").replace(/ +/g, " ").trim();
  const characters = [...plain];
  return characters.length <= LENGTH_MAX
    ? plain
    : `${characters
        .slice(0, LENGTH_MAX - 1)
        .join("")
        .trim()}…`;
}
