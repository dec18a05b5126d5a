/** Links as a file: all of them, or those that a list with the same filters returns. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { EXAMPLE_ID, optional, queryFlag } from "../schema";
import { LinkListQuery } from "./link-lists";

const { tag, excludeTag, domainId, state, search } = LinkListQuery.properties;

export const LinkExportQuery = t.Object({
  ...{ tag, excludeTag, domainId, state },
  isArchived: optional(
    queryFlag("isArchived", "True exports only archived links, false only the others; both if omitted"),
  ),
  search,
  clicksByDay: optional(
    queryFlag("clicksByDay", "False leaves out the clicks of each day, which may be most of the file of busy links"),
  ),
});
export type LinkExportQuery = Static<typeof LinkExportQuery>;

const HEADER =
  "_id,shortUrl,domain,pathPrefix,slug,title,defaultUrl,tags,isActive,isArchived,externalId,notes,startsAt,expiresAt," +
  "expiredUrl,maxClicks,admittedVisits,passwordProtected,appProfileId,appProfileName,deepLinkPayload,rules,splitTargets,utm," +
  "marketing,social,leadCapture,ctaOverlay,retargetingPixels,importedFrom,clickCount,clickCountByDay,clicksBefore,clicksByDay," +
  "createdAt,updatedAt";

export const LinksCsv = Type.String({
  contentMediaType: "text/csv",
  description: "RFC 4180 with a header row; tags, lists and objects are JSON",
  examples: [
    `${HEADER}\r\n0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e,https://go.example.com/spring,go.example.com,,spring,Spring sale,` +
      'https://shop.example.com/spring,"[""spring""]",true,false,,,,,,,,false,,,,,,,,,,,,,1284,"{""2026-01-31"":1284}",,,2026-01-31T12:00:00.000Z,' +
      "2026-01-31T12:00:00.000Z\r\n",
  ],
});

export const LinksJsonLines = Type.String({
  contentMediaType: "application/jsonl",
  description: "One JSON object a line; fields without a value are omitted",
  examples: [
    `${JSON.stringify({
      _id: EXAMPLE_ID,
      shortUrl: "https://go.example.com/spring",
      domain: "go.example.com",
      slug: "spring",
      title: "Spring sale",
      defaultUrl: "https://shop.example.com/spring",
      tags: ["spring"],
      isActive: true,
      isArchived: false,
      passwordProtected: false,
      rules: [],
      splitTargets: [],
      retargetingPixels: [],
      clickCount: 1284,
      clickCountByDay: { "2026-01-31": 1284 },
      createdAt: "2026-01-31T12:00:00.000Z",
      updatedAt: "2026-01-31T12:00:00.000Z",
    })}\n`,
  ],
});
