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
  shown,
  text,
} from "../schema";

export const REVIEW_STATUSES = ["pending", "confirmed", "dismissed"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

const NOTE_LENGTH_MAX = 1_000;

const EXAMPLE_ADDRESS = "9c41d7aa03be5f62";

/** Sixteen hexadecimal digits. */
const addressId = (description: string) =>
  shown(EXAMPLE_ADDRESS, {
    ...Type.String({ pattern: "^[0-9a-f]{16}$", description }),
    error: "expected an address's id, as the queue shows it",
  });

const chosenBy = {
  addressId: optional(addressId("Only clicks from this address, by the id that the queue shows")),
  linkId: optional(id("Only clicks of this link")),
  from: optional(instantInput("Only clicks from this instant on")),
  to: optional(instantInput("Only clicks before this instant")),
};

export const AbuseQueueQuery = t.Object({
  status: optional(oneOf([...REVIEW_STATUSES, "all"], "`pending` when absent")),
  ...chosenBy,
  ...pageQuery,
});
export type AbuseQueueQuery = Static<typeof AbuseQueueQuery>;

const fact = (example: string) => optional(shown(example, Type.String()));

const SuspectLink = shape({
  _id: id(),
  title: optional(shown("Spring sale", Type.String())),
  shortUrl: shown("https://go.example.com/spring", Type.String()),
  isDeleted: shown(false, Type.Boolean()),
});

export const AbuseItem = shape(
  {
    clickId: id(),
    occurredAt: instant(),
    link: SuspectLink,
    addressId: nullable(
      addressId(
        "Stands for the address the click came from (a /64 of IPv6), which is not stored; null where it is unknown",
      ),
    ),
    visitor: shape({
      _id: shown("5f0c9e6d1b7a2384", Type.String({ description: "The same for all clicks of one visitor" })),
      platform: shown("desktop", Type.String()),
      device: fact("desktop"),
      browser: fact("Chrome"),
      os: fact("Linux"),
      country: fact("DE"),
      city: fact("Berlin"),
      language: fact("de"),
      referrer: fact("news.example.com"),
    }),
    reasons: shown(
      ["repeat"],
      Type.Array(Type.String(), {
        description:
          "`crawler`, `no_user_agent`, `head`, `prefetch`: what the request says of itself. `repeat`: from the 61st visit of " +
          "one visitor to one link within a minute. `crowd`: more than 120 visits of the organization from one address " +
          "within a minute; it counts as people's until reviewed. `flood`: more than 600. `burst`: of former releases",
      }),
    ),
    score: { ...integer(0, 100, "Clicks are listed from 70"), examples: [70] },
    status: shown("dismissed", oneOf(REVIEW_STATUSES)),
    reviewedBy: nullable(id("The user's `_id`; null while pending")),
    reviewedAt: nullable(instant("Null while pending")),
    note: shown("Our own load test", nullable(Type.String())),
  },
  { $id: "AbuseItem" },
);
export type AbuseItem = Static<typeof AbuseItem>;

export const AbuseQueue = pageOf("items", AbuseItem);

export const AbuseReviewInput = shape(
  {
    status: oneOf(
      REVIEW_STATUSES,
      "`confirmed`: the click leaves every figure, `includeBots` or not. `dismissed`: it counts as a person's. " +
        "`pending` takes a verdict back: it counts again as it did before",
    ),
    note: optional(nullable(shown("Our own load test", text(NOTE_LENGTH_MAX, 0, "Absent: the former note stays")))),
  },
  { $id: "AbuseReviewInput", examples: [{ status: "dismissed", note: "Our own load test" }] },
);
export type AbuseReviewInput = Static<typeof AbuseReviewInput>;

const ABUSE_GROUPS = ["address", "link"] as const;

export const AbuseGroupsQuery = t.Object({
  by: optional(oneOf(ABUSE_GROUPS, "What clicks are put together by; `address` when absent")),
  status: optional(oneOf([...REVIEW_STATUSES, "all"], "`pending` when absent")),
  ...chosenBy,
  ...pageQuery,
});
export type AbuseGroupsQuery = Static<typeof AbuseGroupsQuery>;

export const AbuseGroup = shape(
  {
    addressId: nullable(addressId("Of groups by address; null for clicks from an unknown one, and in groups by link")),
    link: nullable(SuspectLink),
    clicks: shown(480, Type.Integer()),
    visitors: shown(200, Type.Integer()),
    links: shown(1, Type.Integer({ description: "How many links the clicks are of" })),
    addresses: shown(1, Type.Integer({ description: "How many known addresses they come from" })),
    reasons: shown(["crowd"], Type.Array(Type.String())),
    score: { ...integer(0, 100, "The highest"), examples: [70] },
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
        "Only clicks of this status, so that verdicts given one by one stay. `all` when absent",
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
    changed: shown(20_000, Type.Integer({ description: "Clicks judged by this request" })),
    remaining: shown(
      0,
      Type.Integer({
        description: "Clicks left to judge, counted up to 100,000. Above 0: send the same request again",
      }),
    ),
  },
  { $id: "AbuseBulkOutcome" },
);
export type AbuseBulkOutcome = Static<typeof AbuseBulkOutcome>;
