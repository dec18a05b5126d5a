/** Leads: what visitors left on a link's form. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, pageOf, shape, shown } from "../schema";

export const Lead = shape(
  {
    _id: id(),
    linkId: id(),
    fields: shown(
      { email: "ada@example.com" },
      Type.Unsafe<Record<string, string>>(
        Type.Object(
          {},
          {
            additionalProperties: Type.String(),
            description:
              "By the name of the field; `consent` is `yes` where it was asked for. What was left empty is absent",
          },
        ),
      ),
    ),
    visitorId: shown("9f3c1e0b7a25d486", Type.String({ description: "The visitor's key, as clicks have it" })),
    createdAt: instant(),
  },
  { $id: "Lead" },
);
export type Lead = Static<typeof Lead>;

export const LeadPage = pageOf("leads", Lead);
export type LeadPage = Static<typeof LeadPage>;

export const LeadsCsv = Type.String({
  contentMediaType: "text/csv",
  description: "RFC 4180, with a header row: a column for each field of the form, then those it had before",
  examples: ["createdAt,visitorId,email\r\n2026-01-31T12:00:00.000Z,9f3c1e0b7a25d486,ada@example.com\r\n"],
});
