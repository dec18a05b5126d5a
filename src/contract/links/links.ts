/** Links: the input for creating and updating them, the link itself, and `resolve`. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { byNameFact, nameFact } from "../facts";
import { PLATFORMS } from "../platforms";
import { MarketingAttribution, RoutingRule, RoutingRuleInput, SplitTarget, SplitTargetInput, Utm } from "../routing";
import {
  destination,
  flag,
  freeObject,
  id,
  instant,
  instantInput,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  STATED_VISIT_LENGTH_MAX,
  shape,
  text,
  withExample,
} from "../schema";
import { CtaOverlay, LeadCapture, PIXELS_MAX, RetargetingPixel } from "./link-pages";
import { Safety } from "./safety";
import { Social, SocialInput } from "./social";

export const LINK_LIMITS = {
  rulesMax: 50,
  splitTargetsMax: 20,
  tagsMax: 20,
  tagLengthMax: 50,
} as const;

const linkFields = {
  domainId: optional(
    nullable(text(64, 1, "Defaults to the organization's primary verified domain, or else the shared one")),
  ),
  appProfileId: optional(
    nullable(
      text(64, 1, "The app to open; defaults to the one whose `pathPrefix` matches, or the domain's `appConfig`"),
    ),
  ),
  title: optional(nullable(text(255, 0, "Shown in lists, and by previewers if `social` has no title"))),
  externalId: optional(nullable(text(255, 1, "Your own id for the link, unique in the organization"))),
  notes: optional(nullable(text(2_000, 0, "For your colleagues; searched, and never shown to visitors"))),
  isArchived: optional(flag("Hides the link from lists; it keeps serving")),
  slug: optional(nullable(text(190, 1, "Letters, digits and `_ . - + ~ !`; generated if omitted"))),
  pathPrefix: optional(nullable(text(255, 0, "Up to four segments of slug characters"))),
  rules: optional(
    nullable(
      list(
        RoutingRuleInput,
        LINK_LIMITS.rulesMax,
        "By ascending `priority`, then in this order: the first that matches decides",
      ),
    ),
  ),
  splitTargets: optional(
    nullable(
      list(
        SplitTargetInput,
        LINK_LIMITS.splitTargetsMax,
        "Share the visitors whom no rule matches, by `weight`; each visitor keeps the same target",
      ),
    ),
  ),
  deepLinkPayload: optional(nullable(freeObject("Passed to the app unchanged; at most 16 KB and 32 levels"))),
  utm: optional(nullable(Utm)),
  marketing: optional(nullable(MarketingAttribution)),
  leadCapture: optional(nullable(LeadCapture)),
  retargetingPixels: optional(
    nullable(
      list(RetargetingPixel, PIXELS_MAX, "Fired before the destination, unless a visitor opts out (`Sec-GPC`, `DNT`)"),
    ),
  ),
  ctaOverlay: optional(nullable(CtaOverlay)),
  social: optional(nullable(SocialInput)),
  startsAt: optional(nullable(instantInput("The link returns 404 before this time"))),
  expiresAt: optional(
    nullable(instantInput("From this time on, visitors go to `expiredUrl`; without one, the link returns 410")),
  ),
  expiredUrl: optional(
    nullable(
      destination(
        "Where visitors go (302) after `expiresAt` or the last visit of `maxClicks`, as written; takes precedence over the " +
          "domain's `redirects.expired`",
      ),
    ),
  ),
  maxClicks: optional(
    nullable(integer(1, 1_000_000_000, "How many human visits are admitted, exactly; further ones get 410")),
  ),
  tags: optional(
    nullable(
      list(text(LINK_LIMITS.tagLengthMax, 1), LINK_LIMITS.tagsMax, "Filter lists and figures; compared exactly"),
    ),
  ),
  password: optional(nullable(text(128, 4, "Visitors have to enter it; write-only, and null removes it"))),
  isActive: optional(flag("False turns the link off: it returns 404; defaults to true")),
};

const defaultUrl = destination("The default destination: an absolute http(s) URL");

const inputExample = {
  slug: "spring",
  title: "Spring sale",
  rules: [
    { priority: 10, destinationUrl: "https://shop.example.com/app", conditions: { platform: ["ios", "android"] } },
  ],
  deepLinkPayload: { screen: "offer", offerId: 42 },
  utm: { source: "newsletter", medium: "email", campaign: "spring-sale" },
  tags: ["spring"],
};

export const LinkInput = shape(
  { defaultUrl, ...linkFields },
  { $id: "LinkInput", examples: [{ defaultUrl: "https://shop.example.com/spring", ...inputExample }] },
);
export type LinkInput = Static<typeof LinkInput>;

export const LinkUpdate = shape(
  { defaultUrl: optional(defaultUrl), ...linkFields },
  {
    $id: "LinkUpdate",
    examples: [{ title: "Spring sale, last days", expiresAt: "2030-04-30T22:00:00Z", maxClicks: null }],
  },
);
export type LinkUpdate = Static<typeof LinkUpdate>;

export const Link = shape(
  {
    _id: id(),
    orgId: withExample("0198f2a1-02c4-7e11-8a35-9b6d1c2e7f40", id()),
    domainId: withExample("0198f2a4-77d0-7b52-b1c8-2e4f6a8091d3", id()),
    appProfileId: optional(withExample("0198f2a9-5e3b-7d06-93f4-7a1b2c3d4e5f", id())),
    title: optional(withExample("Spring sale", Type.String())),
    externalId: optional(withExample("campaign-7", Type.String())),
    notes: optional(withExample("Printed on the spring flyers", Type.String())),
    isArchived: withExample(false, Type.Boolean()),
    slug: withExample("spring", Type.String()),
    pathPrefix: optional(withExample("shop/de", Type.String({ description: "Path between host and slug, if any" }))),
    shortUrl: Type.String({ examples: ["https://go.example.com/spring"] }),
    defaultUrl: withExample("https://shop.example.com/spring", Type.String()),
    rules: Type.Array(RoutingRule),
    splitTargets: Type.Array(SplitTarget),
    deepLinkPayload: optional(withExample({ screen: "offer", offerId: 42 }, freeObject())),
    utm: optional(Utm),
    marketing: optional(MarketingAttribution),
    leadCapture: optional(LeadCapture),
    retargetingPixels: withExample([], Type.Array(RetargetingPixel)),
    ctaOverlay: optional(CtaOverlay),
    social: optional(Social),
    startsAt: optional(instant()),
    expiresAt: optional(withExample("2026-04-30T22:00:00.000Z", instant())),
    expiredUrl: optional(withExample("https://shop.example.com/sale-is-over", Type.String())),
    maxClicks: optional(withExample(500, Type.Integer({ description: "How many human visits are admitted" }))),
    tags: withExample(["spring"], Type.Array(Type.String())),
    importedFrom: optional(
      shape({ source: withExample("bitly", Type.String()), id: withExample("acme.ly/promo", Type.String()) }),
    ),
    passwordProtected: withExample(false, Type.Boolean({ description: "True if visitors need a password" })),
    isActive: Type.Boolean(),
    clickCount: withExample(1284, Type.Integer({ description: "Clicks by people since the link was created" })),
    clicksBefore: optional(
      withExample(
        4211,
        Type.Integer({ description: "Clicks that the service it was imported from had counted; in no other figure" }),
      ),
    ),
    safety: Safety,
    createdAt: instant(),
    updatedAt: instant(),
  },
  { $id: "Link", tagged: true },
);
export type Link = Static<typeof Link>;

export const RouteKind = oneOf(["rule", "split", "store", "default"]);
export type RouteKind = Static<typeof RouteKind>;

/** A character has up to four bytes in UTF-8, each of which takes three characters if it is escaped. */
const ESCAPED_LENGTH_MAX = 4 * 3;
/** What begins a character, and what continues one: bytes that are escaped, or halves of a pair in UTF-16. */
const BEGINNING = "(?:%[0-7C-Fc-f][0-9A-Fa-f]|(?!%[0-9A-Fa-f]{2})[^\\uDC00-\\uDFFF])";
const CONTINUED = "(?:%[89ABab][0-9A-Fa-f]|[\\uDC00-\\uDFFF])*";

/** A text that may be escaped as in a URL. Its length is that of what it stands for. */
const escapable = (maxLength: number, minLength: number, description: string) =>
  Type.Unsafe<string>({
    ...text(maxLength * ESCAPED_LENGTH_MAX, minLength, `${description}; may be URL-encoded`),
    pattern: `^(?:${BEGINNING}${CONTINUED}){${minLength},${maxLength}}$`,
    error: text(maxLength, minLength).error,
  });

const fact = (description: string) => optional(text(255, 0, description));

export const ResolveQuery = t.Object({
  domain: withExample("go.example.com", text(255, 1, "Host of the short URL")),
  slug: withExample("spring", escapable(190, 1, "Last segment of the short URL")),
  pathPrefix: optional(escapable(255, 0, "Path between host and slug, if any")),
  platform: optional(oneOf(PLATFORMS, "Defaults to the request's user agent")),
  password: optional(text(128, 0, "Required if the link has a password, unless the short URL carries it in `query`")),
  ...byNameFact((name) => fact(nameFact(name).statedAs)),
  language: fact("BCP 47, like `de-AT`"),
  osVersion: fact("Like `17.4`"),
  query: optional(text(STATED_VISIT_LENGTH_MAX, 0, "Query of the short URL, without `?`; URL-encoded")),
  referrer: optional(text(STATED_VISIT_LENGTH_MAX, 0, "URL of the page with the link; omit it for a direct visit")),
  visitorId: fact("Keeps the visitor with one split target; defaults to address and user agent"),
});
export type ResolveQuery = Static<typeof ResolveQuery>;

export const ResolveResponse = shape(
  {
    title: optional(withExample("Spring sale", Type.String())),
    destinationUrl: withExample("https://shop.example.com/spring", Type.String()),
    deepLinkPayload: withExample({ screen: "offer", offerId: 42 }, freeObject()),
  },
  { $id: "ResolveResponse" },
);
