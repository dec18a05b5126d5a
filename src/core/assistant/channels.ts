/**
 * Channels for campaigns: the words that people use for each, the sites its visitors come from, the input for its UTM
 * values, and the length of a line of copy. Rows are searched from the top; the first row with a word of the text
 * matches.
 */
import type { Utm } from "@/contract/routing";
import { rowFor } from "../qr/vocabulary";
import { singleLine } from "./words";

export interface Channel {
  name: string;
  words: string[];
  /** Matches the hosts of referring pages. */
  hosts: RegExp | null;
  /** Input of the UTM generator: `platform` and `channel`. */
  source: string;
  medium: string;
  /** Length limit of one line of copy, in code points: what is shown before the channel cuts it off, or its maximum. */
  lineMax: number;
}

const domains = (...names: string[]): RegExp =>
  new RegExp(`(?:^|\\.)(?:${names.map((name) => name.replaceAll(".", "\\.")).join("|")})$`);

export const CHANNELS: Channel[] = [
  {
    name: "Email",
    words: ["email", "emails", "mail", "mails", "mailing", "newsletter", "newsletters", "mailchimp", "klaviyo"],
    hosts: domains("mail.google.com", "mail.yahoo.com", "outlook.live.com", "outlook.office.com", "mail.proton.me"),
    source: "newsletter",
    medium: "email",
    lineMax: 60,
  },
  {
    name: "Push notifications",
    words: ["push", "notification", "notifications", "onesignal"],
    hosts: null,
    source: "push",
    medium: "push",
    lineMax: 100,
  },
  { name: "SMS", words: ["sms", "texting"], hosts: null, source: "sms", medium: "sms", lineMax: 120 },
  {
    name: "QR codes and print",
    words: [
      ...["qr", "print", "printed", "flyer", "flyers", "poster", "posters", "packaging", "billboard", "billboards"],
      ...["leaflet", "brochure"],
    ],
    hosts: null,
    source: "print",
    medium: "qr",
    lineMax: 60,
  },
  {
    name: "Instagram",
    words: ["instagram", "insta", "ig"],
    hosts: domains("instagram.com"),
    source: "instagram",
    medium: "social",
    lineMax: 125,
  },
  {
    name: "Facebook",
    words: ["facebook", "fb", "meta"],
    hosts: domains("facebook.com", "fb.me", "fb.com", "messenger.com"),
    source: "facebook",
    medium: "social",
    lineMax: 125,
  },
  {
    name: "TikTok",
    words: ["tiktok"],
    hosts: domains("tiktok.com"),
    source: "tiktok",
    medium: "social",
    lineMax: 100,
  },
  {
    name: "LinkedIn",
    words: ["linkedin"],
    hosts: domains("linkedin.com", "lnkd.in"),
    source: "linkedin",
    medium: "social",
    lineMax: 150,
  },
  {
    name: "YouTube",
    words: ["youtube", "yt"],
    hosts: domains("youtube.com", "youtu.be"),
    source: "youtube",
    medium: "video",
    lineMax: 100,
  },
  {
    name: "X",
    words: ["x", "twitter"],
    hosts: domains("x.com", "twitter.com", "t.co"),
    source: "x",
    medium: "social",
    lineMax: 250,
  },
  {
    name: "Pinterest",
    words: ["pinterest"],
    hosts: domains("pinterest.com", "pin.it"),
    source: "pinterest",
    medium: "social",
    lineMax: 100,
  },
  {
    name: "Reddit",
    words: ["reddit"],
    hosts: domains("reddit.com", "redd.it"),
    source: "reddit",
    medium: "social",
    lineMax: 150,
  },
  {
    name: "Messengers",
    words: ["whatsapp", "telegram", "messenger", "messengers", "signal", "discord", "wechat"],
    hosts: domains("whatsapp.com", "wa.me", "telegram.org", "t.me", "discord.com"),
    source: "whatsapp",
    medium: "social",
    lineMax: 160,
  },
  {
    name: "Podcasts",
    words: ["podcast", "podcasts", "spotify", "audio"],
    hosts: domains("spotify.com", "podcasts.apple.com"),
    source: "podcast",
    medium: "audio",
    lineMax: 160,
  },
  {
    name: "Affiliates",
    words: ["affiliate", "affiliates", "influencer", "influencers", "creator", "creators", "partner", "partners"],
    hosts: null,
    source: "affiliate",
    medium: "affiliate",
    lineMax: 150,
  },
  {
    name: "Search",
    words: ["search", "google", "adwords", "bing", "duckduckgo", "cpc", "ppc", "sem"],
    hosts: /^(?:www\.|search\.|html\.)?(?:google|bing|duckduckgo|yahoo|ecosia|baidu|yandex)\.[a-z.]{2,10}$/,
    source: "google",
    medium: "cpc",
    lineMax: 90,
  },
  {
    name: "Social media",
    words: ["social", "socials", "threads", "bluesky", "mastodon", "snapchat", "xing"],
    hosts: domains("threads.net", "bsky.app", "snapchat.com", "xing.com"),
    source: "social-media",
    medium: "social",
    lineMax: 125,
  },
];

const NAME_MAX = 60;
const LINE_MAX = 120;
const PAID = /\b(?:paid|ads?|adverts?|advertising|sponsored|promoted)\b/i;

export const channelNamed = (name: string): Channel | undefined => CHANNELS.find((channel) => channel.name === name);

/** Returns the channel that a link's UTM values name, or undefined if they name none that is known. */
export const channelOfUtm = ({ source = "", medium = "" }: Utm): Channel | undefined =>
  rowFor(CHANNELS, source) ?? rowFor(CHANNELS, medium);

export const channelOfHost = (host: string): Channel | undefined =>
  CHANNELS.find(({ hosts }) => hosts?.test(host.toLowerCase()));

/**
 * Returns the requested channel: a known one, paid if the text says so, otherwise one made of the customer's own
 * words.
 */
export function requestedChannel(text: string): Channel | undefined {
  const asked = singleLine(text, NAME_MAX);
  if (asked === "") return undefined;
  const known = rowFor(CHANNELS, asked);
  if (!known) return { name: asked, words: [], hosts: null, source: asked, medium: asked, lineMax: LINE_MAX };
  return PAID.test(asked) && known.medium === "social" ? { ...known, medium: "paid" } : known;
}
