/** A link's history: one revision for its creation and one for each change, newest first. */
import { type Static, Type } from "@sinclair/typebox";
import { freeObject, id, instant, nullable, pageOf, shape, withExample } from "../schema";

const Revision = shape(
  {
    _id: id(),
    version: withExample(
      3,
      Type.Integer({ description: "Version of the link after the change; increases, but not always by one" }),
    ),
    changedBy: nullable(id("User or API key; null for the service itself")),
    changedAt: instant(),
    changes: Type.Array(
      shape({
        field: withExample("title", Type.String()),
        from: withExample("Spring sale", Type.Unknown({ description: "Null if there was no value before" })),
        to: withExample("Spring sale, last days", Type.Unknown({ description: "Null if there is no value any more" })),
      }),
      { description: "For a password, only whether one is set or was replaced" },
    ),
    snapshot: withExample(
      {
        slug: "spring",
        title: "Spring sale, last days",
        defaultUrl: "https://shop.example.com/spring",
        tags: ["spring"],
      },
      freeObject("The link's own fields after the change"),
    ),
  },
  { $id: "Revision" },
);

export const RevisionPage = pageOf("revisions", Revision);
export type RevisionPage = Static<typeof RevisionPage>;
