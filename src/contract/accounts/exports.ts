/** The archive of a whole organization: requested, created in the background, downloaded. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, oneOf, optional, pageOf, shape, withExample } from "../schema";

export const EXPORT_STATUSES = ["queued", "running", "done", "failed"] as const;

/** Limit of each organization; deleting or expiring an export makes room. */
export const EXPORTS_MAX = 3;
export const EXPORT_KEPT_DAYS = 7;

export const OrganizationExport = shape(
  {
    _id: id(),
    status: withExample("done", oneOf(EXPORT_STATUSES)),
    counts: withExample(
      { links: 1284, clicks: 90412, leads: 77 },
      Type.Unsafe<Record<string, number>>(
        Type.Object(
          {},
          { additionalProperties: Type.Integer(), description: "Records in the archive so far, by what they are" },
        ),
      ),
    ),
    bytes: withExample(4_812_230, Type.Integer({ description: "Size of the archive so far" })),
    expiredClicks: optional(
      shape(
        {
          count: withExample(51_877, Type.Integer({ description: "Number of clicks" })),
          before: instant("They are all from before this time"),
        },
        {
          description:
            "Clicks that your plan no longer keeps one by one: the archive has only how many each link had a day, so that " +
            "they are former clicks wherever it is imported. Absent if there are none",
        },
      ),
    ),
    requestedBy: optional(
      withExample("ada@acme.dev", Type.String({ description: "Email of the member who requested it" })),
    ),
    error: optional(Type.String({ description: "Why it failed" })),
    createdAt: instant(),
    finishedAt: optional(instant()),
    expiresAt: optional(instant("When the service deletes the archive")),
  },
  { $id: "OrganizationExport" },
);
export type OrganizationExport = Static<typeof OrganizationExport>;

export const OrganizationExportPage = pageOf("exports", OrganizationExport);

export const OrganizationArchive = Type.String({
  contentMediaType: "application/gzip",
  description: "A `.tar.gz` of files with one JSON object a line",
});
