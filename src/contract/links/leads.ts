/** Leads: what visitors entered in a link's form. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, pageOf, shape, withExample } from "../schema";

export const Lead = shape(
  {
    _id: id(),
    linkId: id(),
    fields: withExample(
      { email: "ada@example.com" },
      Type.Unsafe<Record<string, string>>(
        Type.Object(
          {},
          {
            additionalProperties: Type.String(),
            description: "Values by field name; `consent` is `yes` if the form required it. Empty fields are omitted",
          },
        ),
      ),
    ),
    visitorId: withExample("9f3c1e0b7a25d486", Type.String({ description: "The visitor's key, as in clicks" })),
    createdAt: instant(),
  },
  { $id: "Lead" },
);
export type Lead = Static<typeof Lead>;

export const LeadPage = pageOf("leads", Lead);
export type LeadPage = Static<typeof LeadPage>;

export const LeadsCsv = Type.String({
  contentMediaType: "text/csv",
  description: "RFC 4180 with a header row: one column per field of the form, followed by fields it had earlier",
  examples: ["createdAt,visitorId,email\r\n2026-01-31T12:00:00.000Z,9f3c1e0b7a25d486,ada@example.com\r\n"],
});
