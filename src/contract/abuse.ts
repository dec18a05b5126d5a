/** The queue of suspicious clicks and the verdicts on them (spec §4.9, product §9). */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { id, instant, integer, nullable, oneOf, optional, pageOf, pageQuery, shape, shown, text } from "./schema";

export const REVIEW_STATUSES = ["pending", "confirmed", "dismissed"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

const NOTE_LENGTH_MAX = 1_000;

export const AbuseQueueQuery = t.Object({
  status: optional(oneOf([...REVIEW_STATUSES, "all"], "`pending` when absent")),
  ...pageQuery,
});
export type AbuseQueueQuery = Static<typeof AbuseQueueQuery>;

const fact = (example: string) => optional(shown(example, Type.String()));

export const AbuseItem = shape(
  {
    clickId: id(),
    occurredAt: instant(),
    link: shape({
      _id: id(),
      title: optional(shown("Spring sale", Type.String())),
      shortUrl: shown("https://go.example.com/spring", Type.String()),
      isDeleted: shown(false, Type.Boolean()),
    }),
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
