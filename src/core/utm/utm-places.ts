/**
 * Where campaigns run: what people call a place, the source under which it is usually counted, and the medium that it
 * implies, unpaid and paid. Also the media that Google Analytics 4 sorts into its default channels
 * (https://support.google.com/analytics/answer/9756891).
 */
export interface UtmPlace {
  source: string;
  /** Null where the place implies no medium: nobody tags what a search engine finds organically. */
  medium: string | null;
}

interface Kind {
  unpaid: string | null;
  paid: string;
  /** Each place's source, followed by its other names. */
  places: string[];
}

const KINDS: Kind[] = [
  {
    unpaid: "email",
    paid: "email",
    places: ["newsletter newsletters", "email e-mail e_mail mail mailing", "mailchimp", "klaviyo", "brevo", "substack"],
  },
  {
    unpaid: "social",
    paid: "paid-social",
    places: [
      ...["facebook fb", "instagram ig insta", "meta", "tiktok tik-tok", "linkedin linked-in lnkd.in", "twitter t.co"],
      ...["x", "threads", "pinterest", "snapchat snap", "reddit", "bluesky", "mastodon", "whatsapp", "telegram"],
      ...["discord", "wechat", "vk", "xing"],
    ],
  },
  { unpaid: "video", paid: "paid-video", places: ["youtube yt", "vimeo", "twitch"] },
  {
    unpaid: null,
    paid: "cpc",
    places: ["google", "bing microsoft", "duckduckgo", "yahoo", "baidu", "yandex", "ecosia", "apple-search"],
  },
  { unpaid: "audio", paid: "audio", places: ["podcast podcasts", "spotify"] },
  { unpaid: "sms", paid: "sms", places: ["sms text text-message"] },
  { unpaid: "push", paid: "push", places: ["push push-notification push-notifications", "onesignal"] },
  {
    unpaid: "affiliate",
    paid: "affiliate",
    places: [
      "affiliate affiliates affiliate-marketing",
      "awin",
      "cj",
      "impact",
      "rakuten",
      "shareasale",
      "tradedoubler",
    ],
  },
  {
    unpaid: "qr",
    paid: "qr",
    places: ["qr qr-code qrcode", "flyer", "poster", "packaging", "print", "billboard", "business-card"],
  },
];

const PLACES = new Map(
  KINDS.flatMap((kind) =>
    kind.places.flatMap((names) => {
      const [source = "", ...others] = names.split(" ");
      return [source, ...others].map((name) => [name, { source, kind }] as const);
    }),
  ),
);

/** Whole names of paid places. Otherwise `paid` in front or a suffix like `ads` marks a name as paid. */
const PAID_NAMES = new Map([
  ["adwords", "google"],
  ["google-adwords", "google"],
]);
const PAID_AFFIX = /^paid-|-(?:ads?|paid|sponsored)$/g;
const PAID_WORDS = new Set(["paid", "ads", "ad", "sponsored", "promoted", "boosted"]);

/** Returns whether a slug only says that something is paid (true) or unpaid (false); null if it says anything else. */
export function paidOf(slug: string): boolean | null {
  if (PAID_WORDS.has(slug)) return true;
  return slug === "organic" || slug === "unpaid" ? false : null;
}

/**
 * Returns the known place that a slug names (`facebook-ads`, `instagram.com`, `ig`). Set `isPaid` if that is known
 * otherwise.
 */
export function placeOf(slug: string, isPaid = false): UtmPlace | undefined {
  const host = slug.replace(/^www\./, "").replace(/\.com$/, "");
  const name = host.replace(PAID_AFFIX, "");
  const found = PLACES.get(host) ?? PLACES.get(PAID_NAMES.get(host) ?? name);
  if (!found) return undefined;
  const isNamedPaid = !PLACES.has(host);
  return { source: found.source, medium: isPaid || isNamedPaid ? found.kind.paid : found.kind.unpaid };
}

const EXACT = ["ppc", "retargeting", "display", "banner", "expandable", "interstitial", "social", "social-network"];
const MORE = ["social-media", "sm", "organic", "referral", "app", "link", "email", "e-mail", "e_mail", "affiliate"];
const CHANNEL_MEDIA = new Set([...EXACT, ...MORE, "audio", "sms"]);
const CHANNEL_PATTERN = /cp|^paid|video|push$|mobile|notification/;

export const hasDefaultChannel = (medium: string): boolean => CHANNEL_MEDIA.has(medium) || CHANNEL_PATTERN.test(medium);
