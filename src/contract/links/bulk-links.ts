/** Many links in one request. */
import { type Static, Type } from "@sinclair/typebox";
import { shape, shown } from "../schema";
import { Link, LinkInput } from "./links";

/** Whatever the plan. */
export const BULK_LINKS_MAX = 100;
export const BULK_BODY_BYTES_MAX = 1024 * 1024;

/**
 * Documented as a list of `LinkInput`, taken as a list of anything: what is wrong with one link is told of that one, and
 * the others are made.
 */
export const BulkLinkInput = shape(
  {
    links: Type.Array(Type.Unknown(), {
      documentedItems: LinkInput,
      minItems: 1,
      maxItems: BULK_LINKS_MAX,
      description: "As in a single creation. How many at once depends on the plan",
      error: `expected a list of 1 to ${BULK_LINKS_MAX} links`,
    }),
  },
  {
    $id: "BulkLinkInput",
    examples: [
      {
        links: [
          { defaultUrl: "https://shop.example.com/spring", slug: "spring" },
          { defaultUrl: "https://shop.example.com/summer", title: "Summer sale", tags: ["summer"] },
        ],
      },
    ],
  },
);

export const BulkLinkResult = shape(
  {
    created: Type.Array(Link, { description: "In the order in which they were sent" }),
    errors: Type.Array(
      shape({
        index: shown(1, Type.Integer({ description: "Position in `links`, from 0" })),
        error: shown(
          "This slug is taken on its domain",
          Type.String({ description: "As a single creation answers it" }),
        ),
        details: shown(
          ["slug: is already in use"],
          Type.Array(Type.String(), { description: "Fields of this link, as in a single creation; may be empty" }),
        ),
      }),
    ),
  },
  { $id: "BulkLinkResult" },
);
export type BulkLinkResult = Static<typeof BulkLinkResult>;
