/** Changes or deletes many links in one request. */
import { type Static, Type } from "@sinclair/typebox";
import { EXAMPLE_ID, flag, id, integer, list, oneOf, optional, shape, text, withExample } from "../schema";
import { LINK_STATES } from "./link-lists";
import { LINK_LIMITS, Link, LinkUpdate } from "./links";

/** The most links that one request may change. */
export const BULK_CHANGES_MAX = 1_000;

const tags = (description: string) =>
  optional(list(text(LINK_LIMITS.tagLengthMax, 1), LINK_LIMITS.tagsMax, description));
const namesKept = { additionalProperties: Type.Unknown(), namesKept: "all" };

const selection = {
  ids: optional(list(text(64, 1), BULK_CHANGES_MAX, "The links; send these or a `filter`")),
  filter: optional(
    shape(
      {
        tags: tags("Links that have all of these tags"),
        excludeTags: tags("Links that have none of these tags"),
        search: optional(text(200, 0, "Searches title, slug, destination and notes, as in a list")),
        domainId: optional(withExample(EXAMPLE_ID, text(64, 1, "Links on this domain"))),
        state: optional(oneOf(LINK_STATES, "Links in this state, as in a list")),
        isArchived: optional(flag("True selects only archived links; otherwise they are left out")),
      },
      { ...namesKept, description: "The links that a list with these filters shows; needs `expected`" },
    ),
  ),
  expected: optional(
    integer(
      0,
      BULK_CHANGES_MAX,
      "How many links you expect to be selected; with any other number, nothing changes (409)",
    ),
  ),
};

const { externalId: _, domainId: _1, slug: _2, pathPrefix: _3, ...changeable } = LinkUpdate.properties;

const BulkChanges = shape(
  {
    ...changeable,
    addTags: tags("Tags to add to those that each link has; send these and `removeTags`, or `tags`"),
    removeTags: tags("Tags to remove"),
  },
  {
    ...namesKept,
    description: "Same fields as for updating a single link, except `externalId`, `domainId`, `slug` and `pathPrefix`",
  },
);
export type BulkChanges = Static<typeof BulkChanges>;

export const BulkUpdateInput = shape(
  { ...selection, changes: BulkChanges },
  {
    $id: "BulkUpdateInput",
    examples: [{ filter: { tags: ["spring"], state: "expired" }, expected: 12, changes: { isArchived: true } }],
  },
);
export type BulkUpdateInput = Static<typeof BulkUpdateInput>;

export const BulkDeleteInput = shape(selection, {
  $id: "BulkDeleteInput",
  examples: [{ ids: [EXAMPLE_ID] }],
});
export type BulkDeleteInput = Static<typeof BulkDeleteInput>;

const errors = Type.Array(
  shape({
    index: withExample(
      1,
      Type.Integer({ description: "Position in `ids`, or among the links that the filter selects, from 0" }),
    ),
    _id: id("The link"),
    error: withExample("There is no such link", Type.String({ description: "The same error as for a single link" })),
    details: withExample([], Type.Array(Type.String(), { description: "Invalid fields; may be empty" })),
  }),
);

export const BulkUpdateResult = shape(
  { updated: Type.Array(Link, { description: "In the order of `ids`, or newest first" }), errors },
  { $id: "BulkUpdateResult" },
);
export type BulkUpdateResult = Static<typeof BulkUpdateResult>;

export const BulkDeleteResult = shape(
  {
    deleted: withExample([EXAMPLE_ID], Type.Array(Type.String(), { description: "Ids" })),
    errors,
  },
  { $id: "BulkDeleteResult" },
);
export type BulkDeleteResult = Static<typeof BulkDeleteResult>;
