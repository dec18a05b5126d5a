/** Individual clicks, and why each led where it did. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { RuleTrace } from "../links/link-preview";
import { RouteKind } from "../links/links";
import { PLATFORMS } from "../platforms";
import { Utm } from "../routing";
import { id, instant, nullable, oneOf, optional, queryInteger, shape, text, withExample } from "../schema";
import { REVIEW_STATUSES } from "./abuse";
import { AnalyticsRange, FilteredQuery } from "./analytics";

export const CLICKS_LIMIT = { max: 100, default: 25 } as const;

export const ClicksQuery = t.Object({
  ...FilteredQuery.properties,
  platform: optional(oneOf(PLATFORMS, "The visitor's platform")),
  cursor: optional(text(255, 0, "`nextCursor` of the previous page")),
  limit: optional(queryInteger("limit", 1, CLICKS_LIMIT.max, "Clicks per page; defaults to 25")),
});
export type ClicksQuery = Static<typeof ClicksQuery>;

export const ClicksExportQuery = t.Object({
  ...FilteredQuery.properties,
  platform: ClicksQuery.properties.platform,
});
export type ClicksExportQuery = Static<typeof ClicksExportQuery>;

const ClickRoute = shape({
  kind: withExample("rule", RouteKind),
  ruleIndex: withExample(
    0,
    nullable(Type.Integer({ description: "Position in the rules of the link's version then" })),
  ),
  splitKey: withExample(null, nullable(Type.String({ description: "Key of the split target, if one decided" }))),
  splitLabel: optional(
    Type.String({ description: "Label of the split target, or title of the bio page's item, as it was then" }),
  ),
  destinationUrl: withExample(
    "https://shop.example.com/app",
    Type.String({ description: "Without parameters added by the visit" }),
  ),
  ruleNumber: withExample(0, nullable(Type.Integer({ description: "The rule's `number`, by which figures count it" }))),
});

const known = (example: string, description?: string) => optional(withExample(example, Type.String({ description })));

/** What a click says about its visitor; unknown fields are omitted. */
export const visitorFields = {
  visitorId: withExample(
    "5f0c9e6d1b7a2384",
    Type.String({ description: "Identifies the same visitor without revealing who it is" }),
  ),
  platform: withExample("ios", oneOf(PLATFORMS)),
  deviceType: known("mobile"),
  deviceVendor: known("Apple"),
  deviceModel: known("iPhone"),
  browser: known("Mobile Safari"),
  os: known("iOS"),
  osVersion: known("18.4", "`10+` is 10 or later: Chrome on Android hides which"),
  country: known("DE", "ISO 3166-1 alpha-2"),
  region: known("Berlin"),
  city: known("Berlin"),
  language: known("de-DE", "The preferred one"),
  referrer: known("news.example.com", "Host of the referring page"),
};

const clickFields = {
  _id: id(),
  occurredAt: instant(),
  linkId: id(),
  domainId: optional(id()),
  ...visitorFields,
  utm: Utm,
  route: ClickRoute,
  isBot: withExample(false, Type.Boolean({ description: "True if it counts only with `includeBots`" })),
  botReasons: withExample([], Type.Array(Type.String(), { description: "Signs of a bot; empty without any" })),
  spamScore: withExample(
    0,
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "From 70 on, the click is in the abuse queue",
    }),
  ),
  status: withExample(
    null,
    nullable(oneOf(REVIEW_STATUSES, "Status of its review; null if the click was never in the abuse queue")),
  ),
};

export const Click = shape(clickFields, { $id: "Click" });
export type Click = Static<typeof Click>;

export const ClickWhy = shape(
  {
    basis: oneOf(
      ["version", "time", "none"],
      "`version`: the exact version of the link that served the click. `time`: the click did not keep its version, so " +
        "the version of that time is used. `none`: the link's history does not reach back that far",
    ),
    version: withExample(3, nullable(Type.Integer({ description: "The revision that contains the rules" }))),
    text: withExample("Rule 1 is the first whose conditions all match", Type.String()),
    isSame: withExample(
      true,
      nullable(Type.Boolean({ description: "Whether the rules lead to the same place as they did for the click" })),
    ),
    route: nullable(ClickRoute),
    ruleTrace: Type.Array(RuleTrace, { description: "In the order in which rules are evaluated, as in a preview" }),
  },
  { $id: "ClickWhy", description: "The click evaluated again; checks that admitted the visitor are not repeated" },
);
export type ClickWhy = Static<typeof ClickWhy>;

export const ClickDetail = shape(
  {
    ...clickFields,
    languages: withExample(
      ["de-DE", "en"],
      Type.Array(Type.String(), { description: "As evaluated by rules, best match first" }),
    ),
    localTime: known("2026-01-31T13:00", "UTC offset at the visitor's location; omitted if the click did not keep it"),
    linkVersion: optional(withExample(4, Type.Integer({ description: "Omitted if the click did not keep it" }))),
    why: ClickWhy,
  },
  { $id: "ClickDetail" },
);
export type ClickDetail = Static<typeof ClickDetail>;

export const ClickPage = shape(
  {
    range: AnalyticsRange,
    clicks: Type.Array(Click, { maxItems: CLICKS_LIMIT.max, description: "Newest first" }),
    nextCursor: withExample(
      null,
      nullable(
        Type.String({
          description:
            "Where to continue; null at the end. A page can have fewer clicks than requested, or none, and still have one, " +
            "since a rare filter searches a limited number of clicks at a time",
        }),
      ),
    ),
  },
  { $id: "ClickPage" },
);
export type ClickPage = Static<typeof ClickPage>;

export const ClicksCsv = Type.String({
  contentMediaType: "text/csv",
  description: "RFC 4180 with a header row; `botReasons` are separated by spaces",
  examples: [
    "_id,occurredAt,linkId,domainId,visitorId,platform,deviceType,deviceVendor,deviceModel,browser,os,osVersion,country," +
      "region,city,language,referrer,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,routeKind,ruleIndex,splitKey," +
      "destinationUrl,isBot,botReasons,spamScore,status,ruleNumber\r\n0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e,2026-01-31T12:00:00.000Z," +
      "0198f2a4-77d0-7b52-b1c8-2e4f6a8091d3,,5f0c9e6d1b7a2384,ios,mobile,Apple,iPhone,Mobile Safari,iOS,18.4,DE,Berlin," +
      "Berlin,de-DE,news.example.com,newsletter,,,,,default,,,https://shop.example.com/app,false,,0,,\r\n",
  ],
});
