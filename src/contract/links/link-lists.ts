/** Lists of links: their filters, sort orders and pages. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import {
  EXAMPLE_ID,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  queryFlag,
  shape,
  text,
  withExample,
} from "../schema";
import { Blocker } from "./link-preview";
import { LINK_LIMITS, Link } from "./links";

export const LinkWithBlockers = shape(
  {
    ...Link.properties,
    blockers: withExample(
      [],
      Type.Array(Blocker, {
        description: "Why a visitor without a password would not get through now, the decisive reason first",
      }),
    ),
  },
  { $id: "LinkWithBlockers", tagged: true, description: "A link, and why it does not serve" },
);
export type LinkWithBlockers = Static<typeof LinkWithBlockers>;

export const LinkPage = shape(
  {
    ...pageOf("links", LinkWithBlockers).properties,
    nextCursor: withExample(
      null,
      nullable(Type.String({ description: "Send it as `cursor` for the next page; null on the last page" })),
    ),
  },
  { $id: "LinkPage" },
);

export const LINK_STATES = ["serving", "scheduled", "expired", "used_up", "inactive", "unsafe"] as const;
export type LinkState = (typeof LINK_STATES)[number];
export const LINK_SORTS = ["createdAt", "clicks", "lastClickAt", "title"] as const;
export type LinkSort = (typeof LINK_SORTS)[number];
export const LINK_ORDERS = ["asc", "desc"] as const;
export type LinkOrder = (typeof LINK_ORDERS)[number];

/** The most links that a list can be asked for by their ids: all of them fit on one page. */
export const LISTED_IDS_MAX = 100;

const repeatableTag = (description: string) =>
  optional(
    t.Union([t.String(), t.Array(t.String())], {
      description: `${description}. May be repeated up to ${LINK_LIMITS.tagsMax} times`,
      examples: ["spring"],
    }),
  );

export const LinkListQuery = t.Object({
  tag: repeatableTag("Only links with exactly this tag; with several tags, links that have all of them"),
  excludeTag: repeatableTag("Omits links with this tag"),
  linkId: optional(
    t.Union([t.String(), t.Array(t.String())], {
      description:
        `Only the links with these ids, archived ones included unless \`isArchived\` is false; repeat it for up to ` +
        `${LISTED_IDS_MAX} links. Ids of deleted links are ignored`,
      examples: [EXAMPLE_ID],
    }),
  ),
  domainId: optional(text(64, 0, "Only links on this domain")),
  state: optional(
    oneOf(
      LINK_STATES,
      "What a visitor gets now. `inactive` links are switched off or on an unverified domain; `used_up` links have admitted `maxClicks` visits",
    ),
  ),
  isArchived: optional(queryFlag("isArchived", "True lists only archived links; otherwise they are omitted")),
  sort: optional(oneOf(LINK_SORTS, "Defaults to `createdAt`. Links without a title sort by their slug")),
  order: optional(oneOf(LINK_ORDERS, "Defaults to `desc`, and to `asc` when sorting by `title`")),
  cursor: optional(text(2_048, 0, "`nextCursor` of the previous page; faster than `page` in long lists")),
  search: optional(
    text(
      200,
      0,
      "Searches title, slug, destination and notes, ignoring case. One or two letters (a–z) or digits match only words " +
        "that start with them",
    ),
  ),
  ...pageQuery,
});
export type LinkListQuery = Static<typeof LinkListQuery>;
