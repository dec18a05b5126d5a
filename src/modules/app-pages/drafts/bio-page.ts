/**
 * A bio page as its editor has it, for the frame beside it. It holds what others wrote, so it may do nothing: no script, no
 * form, no request but for images of this host, and an origin of its own, even where somebody opens it by itself.
 */
import { Type } from "@sinclair/typebox";
import { BIO_ITEMS_MAX, BioItemInput, BioTheme } from "@/contract/links/bio-pages";
import { list, optional, text } from "@/contract/schema";
import { isUuid } from "@/core/ids";
import type { Membership, Principal } from "@/http/access";
import { invalid, unauthenticated } from "@/http/errors";
import { formReader } from "./form";
import type { Pages } from "./pages";

interface DraftPage {
  id: string;
  title: string;
  bio: string;
  bioTheme: BioTheme;
  items: { title: string; icon?: string; display?: "button" | "icon" }[];
}

export interface DraftPageParts {
  pages: Pages;
  principals: { member(user: Principal, orgId: string): Promise<Membership> };
  drawDraftPage(request: Request, orgId: string, draft: DraftPage): Promise<{ html: string; nonce: string }>;
}

const Draft = Type.Object({
  orgId: text(64, 1),
  bioPageId: text(64, 1),
  title: text(120),
  bio: text(500),
  // Addresses of images name images that are fetched already; half of one names none.
  theme: Type.Object({ ...BioTheme.properties, avatarUrl: optional(text(2048)), coverUrl: optional(text(2048)) }),
  links: list(Type.Pick(BioItemInput, ["title", "icon", "display"]), BIO_ITEMS_MAX),
});

export function createDraftPage({ pages, principals, drawDraftPage }: DraftPageParts) {
  const read = formReader(Draft);
  return pages.sent({
    sentences: () => ({ fields: {} }),
    async respond({ request }, values) {
      const session = await pages.sessionOf(request);
      if (!session) throw unauthenticated();
      const { orgId, bioPageId, title, bio, theme, links } = read(parsed(values.draft));
      if (!isUuid(bioPageId)) throw invalid(["bioPageId: expected an id"]);
      await principals.member(session, orgId);
      const items = links.map(({ title, icon, display }) => ({
        title,
        ...(icon && { icon }),
        ...(display && { display }),
      }));
      const { html, nonce } = await drawDraftPage(request, orgId, {
        id: bioPageId,
        title,
        bio,
        bioTheme: theme,
        items,
      });
      return new Response(html, { headers: headersOf(nonce) });
    },
    again: async (_, __, error) => Promise.reject(error),
  });
}

function parsed(draft: string | undefined): unknown {
  try {
    return JSON.parse(draft ?? "");
  } catch {
    throw invalid(["draft: expected JSON"]);
  }
}

const headersOf = (nonce: string): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": [
    "sandbox",
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
});
