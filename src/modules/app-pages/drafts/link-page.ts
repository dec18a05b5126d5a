/**
 * Draws a part of what a link shows, as it currently is in its editor. The draft is validated like a change of the
 * link, and the part is always enabled, because otherwise there would be nothing to draw.
 */
import { type Static, Type } from "@sinclair/typebox";
import { LinkUpdate } from "@/contract/links/links";
import { oneOf, text } from "@/contract/schema";
import type { Tenant } from "@/core/ids";
import type { LinkDefinition } from "@/core/routing/link";
import type { LinkSource } from "@/platform/link-cache/source";
import { formReader } from "../form";
import { type DraftParts, type DrawnDraft, drawsDraft } from "./drawn";

type SavedLink = Parameters<LinkSource["ofRow"]>[0];

export interface DraftLinkPageParts extends DraftParts {
  links: { updated(tenant: Tenant, id: string, input: LinkUpdate): Promise<SavedLink> };
  linkSource: Pick<LinkSource, "ofRow">;
  drawLinkPage(request: Request, link: LinkDefinition, part: Draft["part"]): Promise<DrawnDraft | null>;
}

const { leadCapture, ctaOverlay, social } = LinkUpdate.properties;
const Draft = Type.Object({
  orgId: text(64, 1),
  linkId: text(64, 1),
  part: oneOf(["lead", "cta", "social"]),
  ...{ leadCapture, ctaOverlay, social },
});
type Draft = Static<typeof Draft>;

export const createDraftLinkPage = ({ links, linkSource, drawLinkPage, ...parts }: DraftLinkPageParts) =>
  drawsDraft(parts, {
    read: formReader(Draft),
    async draw(request, member, draft: Draft) {
      const link = await links.updated(member, draft.linkId, shownOf(draft));
      return drawLinkPage(request, await linkSource.ofRow(link), draft.part);
    },
  });

function shownOf({ part, leadCapture, ctaOverlay, social }: Draft): LinkUpdate {
  switch (part) {
    case "lead":
      return { leadCapture: { ...leadCapture, enabled: true } };
    case "cta":
      return { ctaOverlay: { ...ctaOverlay, enabled: true }, ...(social !== undefined && { social }) };
    case "social":
      return { social };
    default:
      return part satisfies never;
  }
}
