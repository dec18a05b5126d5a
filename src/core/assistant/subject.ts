/**
 * Finds what a campaign is about, for its copy: the product, from the link's title or the address of its page, or
 * from what the goal wants more of; and the date that the goal names. All of it is the customer's own words,
 * shortened to fit the copy.
 */
import { cut, singleLine } from "./words";

const PRODUCT_MAX = 40;
/** Parts of a path, and nouns of a goal, that name no product. */
const GENERIC =
  /^(?:[a-z]{2}(?:-[a-z]{2})?|apps?|index|home|products?|shop|store|landing|lp|page|pages|items?|collections?|category|download|welcome|start|campaign|promo|default)$/i;
const MEASURES =
  /^(?:(?:app|newsletter|email|web|online|new|paying|brand|site|website|returning|loyal|free|trial)[ -])*(?:sales?|revenue|turnover|orders?|purchases?|installs?|installations?|downloads?|leads?|sign[ -]?ups?|registrations?|subscribers?|subscriptions?|clicks?|visits?|visitors?|traffic|reach|awareness|visibility|attention|customers?|users?|conversions?|opens?|engagement|retention|loyalty|people|buyers|readers|contacts?|enquiries|inquiries|demos?|apps?|it|them|us|this|that|more)$/i;

const VERB =
  /^(?:(?:we|i) (?:want|need|would like) (?:to )?|help (?:us|me) (?:to )?|to )?(?:get|gain|win|drive|increase|boost|grow|raise|sell|promote|launch|advertise|generate|find|attract|push|market|announce|introduce|publici[sz]e|show)\s+/i;
const QUANTITY = /^(?:more|many|lots of|the|our|my|a|an|new|\d[\d.,]*\s*%?|(?:as many|another)\b)\s+/i;
const OF_WHAT = /^(?:(?:app|newsletter|new) )?\w+(?:[ -]ups)? (?:of|for) (?:the |our |my |a |an )?(.+)$/i;
const CLAUSE =
  /\s*(?:[.,;:!?()]|\s(?:before|by|until|till|this|next|in|during|within|from|to|with|without|on|at|among|and|so|through|via|per|for)\s).*$/i;

const DATE =
  /\b(before|by|until|this|for) ((?:the )?(?:end of (?:the |this )?(?:week|month|quarter|year)|(?:summer |spring |winter |autumn )?holidays|spring|summer|autumn|fall|winter|christmas|easter|halloween|black friday|cyber monday|new year|ramadan|diwali|thanksgiving|valentine's day|mother's day|father's day|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|week|month|season))\b/i;

/** Returns an empty string if nothing names a product. The first letter is a capital, because copy starts with it. */
export function productOf(title: string | undefined, url: string | null, goal: string): string {
  const candidates = [singleLine(title ?? "", 200), url ? productInPath(url) : "", wantedBy(goal)];
  const product =
    candidates.find((text) => text !== "" && !/[{}]/.test(text)) ??
    (url ? new URL(url).hostname.replace(/^www\./, "") : "");
  return cut(product.charAt(0).toUpperCase() + product.slice(1), PRODUCT_MAX);
}

function productInPath(url: string): string {
  const parts = new URL(url).pathname.split("/").map(wordsOf);
  return parts.findLast((words) => /\p{L}{3}/u.test(words) && !GENERIC.test(words)) ?? "";
}

/** Returns `running shoes` for `running-shoes_2026.html`, and an empty string for an id. */
function wordsOf(part: string): string {
  const words = singleLine(
    decoded(part)
      .replace(/\.[a-z]{2,5}$/i, "")
      .replace(/[-_+.]+/g, " "),
    200,
  );
  const kept = words.split(" ").filter((word) => !/\d/.test(word) || word.length <= 3);
  return /^[0-9a-f]{8,}$/i.test(words) ? "" : kept.join(" ").replace(/\s+\d+$/, "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns what the goal wants more of, unless it is a mere figure: `espresso machines` for `Sell more espresso
 * machines`.
 */
function wantedBy(goal: string): string {
  const begun = goal.replace(VERB, "");
  if (begun === goal && !/^(?:more|\d)/i.test(goal)) return "";
  const wanted = withoutQuantity(begun);
  const inner = OF_WHAT.exec(wanted);
  const measure = wanted.split(/ (?:of|for) /)[0] ?? "";
  const noun = (inner?.[1] && MEASURES.test(measure) ? inner[1] : wanted).replace(CLAUSE, "").trim();
  return noun.length < 3 || noun.split(" ").length > 5 || MEASURES.test(noun) ? "" : noun;
}

function withoutQuantity(text: string): string {
  const rest = text.replace(QUANTITY, "");
  return rest === text ? text : withoutQuantity(rest);
}

/** Returns text such as `before Christmas`, or an empty string if the goal names no date. */
export function deadlineOf(goal: string): string {
  const [, preposition = "", date = ""] = DATE.exec(goal) ?? [];
  return preposition === "" ? "" : `${preposition.toLowerCase()} ${date}`;
}
