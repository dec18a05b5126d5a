/** Creates many links in one request. */
import { type Static, Type } from "@sinclair/typebox";
import { shape, withExample } from "../schema";
import { Link, LinkInput } from "./links";

/** The most that any plan allows. */
export const BULK_LINKS_MAX = 100;
export const BULK_BODY_BYTES_MAX = 1024 * 1024;

/**
 * Documented as a list of `LinkInput`, but validated as a list of unknown items: errors in one link are reported for
 * that link, and the others are created.
 */
export const BulkLinkInput = shape(
  {
    links: Type.Array(Type.Unknown(), {
      documentedItems: LinkInput,
      minItems: 1,
      maxItems: BULK_LINKS_MAX,
      description: "Same fields as for creating a single link. The plan limits how many you can send at once",
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
    created: Type.Array(Link, { description: "In the order of the request" }),
    errors: Type.Array(
      shape({
        index: withExample(1, Type.Integer({ description: "Position in `links`, from 0" })),
        error: withExample(
          "This slug is already used on its domain",
          Type.String({ description: "The same error as for creating a single link" }),
        ),
        details: withExample(
          ["slug: already in use"],
          Type.Array(Type.String(), {
            description: "Invalid fields of this link, as for creating a single link; may be empty",
          }),
        ),
      }),
    ),
  },
  { $id: "BulkLinkResult" },
);
export type BulkLinkResult = Static<typeof BulkLinkResult>;
