/**
 * Makes a customer's chosen name safe for a mail to a stranger: nothing in it is a link, an address or a telephone
 * number, and nothing reverses or hides the text around it. Mail programs turn bare domains into links, too.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\s]+/gu;
/**
 * Characters that, directly followed by another, form a scheme, host, path or mailbox. NFKC has already mapped their
 * variants.
 */
const JOINTS = /[.:@/\\\u3002\u2024\u2044\u2215\ufe52](?=[^\s])/gu;
/** Seven or more digits, however they are grouped. */
const LONG_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}/gu;
/** Quotation marks and angle brackets: the mail puts the name in quotes. */
const QUOTES = /["“”„«»<>]/gu;

const LENGTH_MAX = 60;

/** Returns an empty string if nothing is left. */
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
