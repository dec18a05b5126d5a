/** The queue of suspicious clicks and the verdicts on them. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import {
  id,
  instant,
  instantInput,
  integer,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  shape,
  text,
  withExample,
} from "../schema";

export const REVIEW_STATUSES = ["pending", "confirmed", "dismissed"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

const NOTE_LENGTH_MAX = 1_000;

const EXAMPLE_ADDRESS = "9c41d7aa03be5f62";

/** An address id is sixteen hexadecimal digits. */
const addressId = (description: string) =>
  withExample(EXAMPLE_ADDRESS, {
    ...Type.String({ pattern: "^[0-9a-f]{16}$", description }),
    error: "expected an address id as shown in the queue",
  });

const chosenBy = {
  addressId: optional(addressId("Only clicks from this address, by its id as shown in the queue")),
  linkId: optional({ ...text(64, 0, "Only clicks of this link"), examples: id().examples }),
  from: optional(instantInput("Only clicks from this time on")),
  to: optional(instantInput("Only clicks before this time")),
};

export const AbuseQueueQuery = t.Object({
  status: optional(oneOf([...REVIEW_STATUSES, "all"], "Defaults to `pending`")),
  ...chosenBy,
  ...pageQuery,
});
export type AbuseQueueQuery = Static<typeof AbuseQueueQuery>;

const fact = (example: string) => optional(withExample(example, Type.String()));

const SuspectLink = shape({
  _id: id(),
  title: optional(withExample("Spring sale", Type.String())),
  shortUrl: withExample("https://go.example.com/spring", Type.String()),
  isDeleted: withExample(false, Type.Boolean()),
});

export const AbuseItem = shape(
  {
    clickId: id(),
    occurredAt: instant(),
    link: SuspectLink,
    addressId: nullable(
      addressId("Stands for the address the click came from (a /64 of IPv6), which is not stored; null if unknown"),
    ),
    visitor: shape({
      _id: withExample("5f0c9e6d1b7a2384", Type.String({ description: "The same for all clicks of one visitor" })),
      platform: withExample("desktop", Type.String()),
      device: fact("desktop"),
      browser: fact("Chrome"),
      os: fact("Linux"),
      country: fact("DE"),
      city: fact("Berlin"),
      language: fact("de"),
      referrer: fact("news.example.com"),
    }),
    reasons: withExample(
      ["repeat"],
      Type.Array(Type.String(), {
        description:
          "`crawler`, `no_user_agent`, `head`, `prefetch`: based on the request itself. `repeat`: from the 61st visit of " +
          "one visitor to one link within a minute. `crowd`: more than 120 visits to the organization from one address " +
          "within a minute; they count as human until reviewed. `flood`: more than 600. `burst`: used by earlier releases",
      }),
    ),
    score: { ...integer(0, 100, "The queue lists clicks from 70"), examples: [70] },
    status: withExample("dismissed", oneOf(REVIEW_STATUSES)),
    reviewedBy: nullable(id("The user's `_id`; null while pending")),
    reviewedAt: nullable(instant("Null while pending")),
    note: withExample("Our own load test", nullable(Type.String())),
  },
  { $id: "AbuseItem" },
);
export type AbuseItem = Static<typeof AbuseItem>;

export const AbuseQueue = pageOf("items", AbuseItem);

export const AbuseReviewInput = shape(
  {
    status: oneOf(
      REVIEW_STATUSES,
      "`confirmed`: figures never count the click, even with `includeBots`. `dismissed`: it counts as human. `pending` " +
        "withdraws a verdict: it counts as it did before",
    ),
    note: optional(
      nullable(withExample("Our own load test", text(NOTE_LENGTH_MAX, 0, "Omit to keep the current note"))),
    ),
  },
  { $id: "AbuseReviewInput", examples: [{ status: "dismissed", note: "Our own load test" }] },
);
export type AbuseReviewInput = Static<typeof AbuseReviewInput>;

const ABUSE_GROUPS = ["address", "link"] as const;

export const AbuseGroupsQuery = t.Object({
  by: optional(oneOf(ABUSE_GROUPS, "Groups clicks by this; defaults to `address`")),
  status: optional(oneOf([...REVIEW_STATUSES, "all"], "Defaults to `pending`")),
  ...chosenBy,
  ...pageQuery,
});
export type AbuseGroupsQuery = Static<typeof AbuseGroupsQuery>;

export const AbuseGroup = shape(
  {
    addressId: nullable(
      addressId("Set when grouping by address; null for clicks from an unknown address, and when grouping by link"),
    ),
    link: nullable(SuspectLink),
    clicks: withExample(480, Type.Integer()),
    visitors: withExample(200, Type.Integer()),
    links: withExample(1, Type.Integer({ description: "Number of links that were clicked" })),
    addresses: withExample(1, Type.Integer({ description: "Number of known addresses that the clicks came from" })),
    reasons: withExample(["crowd"], Type.Array(Type.String())),
    score: { ...integer(0, 100, "The highest score"), examples: [70] },
    firstAt: instant(),
    lastAt: instant(),
  },
  { $id: "AbuseGroup" },
);
export type AbuseGroup = Static<typeof AbuseGroup>;

export const AbuseGroups = pageOf("groups", AbuseGroup);

export const AbuseBulkInput = shape(
  {
    ...chosenBy,
    current: optional(
      oneOf(
        [...REVIEW_STATUSES, "all"],
        "Only clicks with this status, which keeps verdicts given one by one. Defaults to `all`",
      ),
    ),
    status: AbuseReviewInput.properties.status,
    note: AbuseReviewInput.properties.note,
  },
  { $id: "AbuseBulkInput", examples: [{ addressId: EXAMPLE_ADDRESS, status: "dismissed", note: "A fair in Vienna" }] },
);
export type AbuseBulkInput = Static<typeof AbuseBulkInput>;

export const AbuseBulkOutcome = shape(
  {
    changed: withExample(20_000, Type.Integer({ description: "Number of clicks judged by this request" })),
    remaining: withExample(
      0,
      Type.Integer({
        description: "Number of clicks left to judge, counted up to 100,000. Above 0, send the same request again",
      }),
    ),
  },
  { $id: "AbuseBulkOutcome" },
);
export type AbuseBulkOutcome = Static<typeof AbuseBulkOutcome>;
