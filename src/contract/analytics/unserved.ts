/** Visits that were turned away: which address was requested, why nothing was served, and how often. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { id, instant, nullable, oneOf, optional, queryInteger, shape, text, withExample } from "../schema";
import { AnalyticsQuery, AnalyticsRange } from "./analytics";

/** The status for each reason, unless the link or its domain redirects such visitors. */
export const UNSERVED_STATUS = {
  unknown: 404,
  domain_unverified: 404,
  inactive: 404,
  not_started: 404,
  expired: 410,
  max_clicks_reached: 410,
  unsafe: 403,
  password_required: 403,
  password_incorrect: 403,
  lead_required: 403,
  attempts: 429,
  busy: 429,
  probing: 429,
} as const;
export type UnservedReason = keyof typeof UNSERVED_STATUS;

export const UNSERVED_REASONS = [
  ...(["unknown", "domain_unverified", "inactive", "not_started", "expired", "max_clicks_reached", "unsafe"] as const),
  ...(["password_required", "password_incorrect", "lead_required", "attempts", "busy", "probing"] as const),
] as const satisfies readonly UnservedReason[];

export const UNSERVED_LIMIT = { max: 100, default: 25 } as const;

export const UnservedQuery = t.Object({
  from: AnalyticsQuery.properties.from,
  to: AnalyticsQuery.properties.to,
  domainId: optional(text(64, 0, "Only visits to this domain")),
  linkId: optional(text(64, 0, "Only visits to this link, even if deleted")),
  reason: optional(oneOf(UNSERVED_REASONS, "Only visits refused for this reason")),
  includeBots: AnalyticsQuery.properties.includeBots,
  limit: optional(queryInteger("limit", 1, UNSERVED_LIMIT.max, "Number of rows in `visits`; defaults to 25")),
});
export type UnservedQuery = Static<typeof UnservedQuery>;

const count = (description?: string) => Type.Integer({ minimum: 0, description, examples: [37] });
const reason = () => withExample("expired", oneOf(UNSERVED_REASONS));
const status = () =>
  withExample(
    410,
    Type.Integer({
      description: "What visitors received; or 302, if the link's `expiredUrl` or a redirect of its domain was set",
    }),
  );

export const UnservedVisits = shape(
  {
    range: AnalyticsRange,
    total: count("All visits, including those that `visits` has no room for"),
    byReason: Type.Array(shape({ reason: reason(), status: status(), count: count() }), {
      description: "Most frequent first",
    }),
    timeseries: Type.Array(shape({ at: instant("Start of the bucket"), count: count() }), {
      description: "Every bucket of the range, including empty ones",
    }),
    visits: Type.Array(
      shape({
        reason: reason(),
        status: status(),
        domainId: id(),
        hostname: withExample(
          "go.example.com",
          nullable(Type.String({ description: "Null once the domain is deleted" })),
        ),
        linkId: nullable(id("The link that refused the visit; null if no link was found")),
        title: withExample("Spring sale", nullable(Type.String({ description: "The link's title" }))),
        address: withExample(
          "/spring",
          nullable(
            Type.String({
              description:
                "The requested path in lower case, cut to 200 characters, without its query; strangers choose it. Null for the " +
                "sum of visits whose path is not listed: the less frequent ones of an hour, and those of `probing`",
            }),
          ),
        ),
        count: count(),
        lastAt: instant("Start of the last hour in which it was requested"),
      }),
      { maxItems: UNSERVED_LIMIT.max, description: "Most frequent first" },
    ),
  },
  { $id: "UnservedVisits" },
);
export type UnservedVisits = Static<typeof UnservedVisits>;
