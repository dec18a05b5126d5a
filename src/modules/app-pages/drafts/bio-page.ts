/** Draws an unsaved bio page, as it currently is in its editor. */
import { Type } from "@sinclair/typebox";
import { BIO_ITEMS_MAX, type BioItem, BioItemInput, BioTheme } from "@/contract/links/bio-pages";
import { list, optional, text } from "@/contract/schema";
import { isUuid } from "@/core/ids";
import { invalid } from "@/http/errors";
import { formReader } from "../form";
import { type DraftParts, type DrawnDraft, drawsDraft } from "./drawn";

interface BioPageDraft {
  id: string;
  title: string;
  bio: string;
  bioTheme: BioTheme;
  items: Pick<BioItem, "title" | "icon" | "display" | "imageUrl">[];
}

export interface DraftBioPageParts extends DraftParts {
  drawBioPage(request: Request, orgId: string, draft: BioPageDraft): Promise<DrawnDraft>;
}

const Draft = Type.Object({
  orgId: text(64, 1),
  bioPageId: text(64, 1),
  title: text(120),
  bio: text(500),
  // Image URLs refer to images that are already fetched; a half-typed URL refers to none.
  theme: Type.Object({ ...BioTheme.properties, avatarUrl: optional(text(2048)), coverUrl: optional(text(2048)) }),
  links: list(
    Type.Composite([
      Type.Pick(BioItemInput, ["title", "icon", "display"]),
      Type.Object({ imageUrl: optional(text(2048)) }),
    ]),
    BIO_ITEMS_MAX,
  ),
});

export function createDraftBioPage({ drawBioPage, ...parts }: DraftBioPageParts) {
  const read = formReader(Draft);
  return drawsDraft(parts, {
    read(fields) {
      const draft = read(fields);
      if (!isUuid(draft.bioPageId)) throw invalid(["bioPageId: expected an id"]);
      return draft;
    },
    draw(request, { orgId }, { bioPageId: id, title, bio, theme, links }) {
      const items = links.map(({ title, icon, display, imageUrl }) => ({
        title,
        ...(icon && { icon }),
        ...(display && { display }),
        ...(imageUrl && { imageUrl }),
      }));
      return drawBioPage(request, orgId, { id, title, bio, bioTheme: theme, items });
    },
  });
}
