/**
 * Draws unsaved pages for the frame beside their editor. They contain text of other people, so they may do nothing:
 * no scripts, no forms, no requests except for images on this host, and an origin of their own, even if somebody
 * opens one outside the frame. Errors are shown in the same frame.
 */
import type { Membership, Principal } from "@/http/access";
import { invalid, unauthenticated } from "@/http/errors";
import { toHttpError } from "@/http/wire";
import type { Pages } from "../pages";
import { refusedDraft } from "./refused";

export interface DrawnDraft {
  html: string;
  nonce: string;
}

export interface DraftParts {
  pages: Pages;
  principals: { member(user: Principal, orgId: string): Promise<Membership> };
}

interface OfOrganization {
  orgId: string;
}

/** Enough for fifty items or twenty fields, in letters that take nine bytes each in a form. */
const DRAFT_BYTES_MAX = 128 * 1024;

interface Drawing<Draft extends OfOrganization> {
  /** Parses the form's fields. Throws 400. */
  read(fields: unknown): Draft;
  /** Draws the page; null if there is nothing to draw. Called only for members. */
  draw(request: Request, member: Membership, draft: Draft): Promise<DrawnDraft | null>;
}

export const drawsDraft = <Draft extends OfOrganization>(
  { pages, principals }: DraftParts,
  { read, draw }: Drawing<Draft>,
) =>
  pages.handleForm({
    bytesMax: DRAFT_BYTES_MAX,
    sentences: () => ({ fields: {} }),
    async respond({ request }, values) {
      const session = await pages.sessionOf(request);
      if (!session) throw unauthenticated();
      const draft = read(parsed(values.draft));
      const drawn = await draw(request, await principals.member(session, draft.orgId), draft);
      return drawn
        ? new Response(drawn.html, { headers: headersOf(drawn.nonce) })
        : new Response(null, { status: 204 });
    },
    async again({ look }, { status, headers, state }, error) {
      const html = refusedDraft(look, state.alert ?? "", toHttpError(error).details ?? []);
      return new Response(html, { status, headers: { ...headers, ...headersOf(look.nonce) } });
    },
  });

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
