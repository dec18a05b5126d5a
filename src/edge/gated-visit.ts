/**
 * Admits visits to links that require a password or a form, or that limit their clicks, and all visits that send a
 * form. Only humans take a place of `maxClicks`, and not those who are refused because the form is missing.
 *
 * A link may expire, or ask for something else, while a visitor fills in its form. The visit was admitted and counted
 * before, so its form is taken as long as its token is valid, and may have the size of any form.
 */
import type { LeadCapture } from "@/contract/links/link-pages";
import { CONSENT_FIELD, LEAD_BYTES_MAX, leadFieldsOf } from "@/core/pages/lead-form";
import { PASSWORD_FIELD } from "@/core/query";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate, type Refusal } from "@/core/routing/gate";
import { readForm } from "@/pages/form";
import type { Admit } from "./admit";
import { refuse } from "./answers";
import type { BrandedRefusals } from "./branded-refusals";
import type { Hit } from "./hit";
import type { VisitWithLead } from "./interstitials/lead-visit";
import { VISIT_TOKEN_FIELD, type VisitTokens } from "./interstitials/visit-token";
import { passwordOf } from "./link-password";
import { isHuman, wantsJson } from "./person";
import type { UnservedCounter } from "./unserved";
import type { Visit } from "./visit";
import type { VisitCounts } from "./visit-counts";

export interface GatedVisitOptions {
  admit: Admit;
  visitTokens: VisitTokens;
  visit: Visit;
  visitWithLead: VisitWithLead;
  refusals: BrandedRefusals;
  counts: VisitCounts;
  unserved: UnservedCounter;
}

/**
 * For a link whose gate does not refuse the visit outright, unless `maySendLateForm`. Rejects if a check cannot be made.
 */
export type GatedVisit = (link: CompiledLink, hit: Hit) => Promise<Response>;

export function createGatedVisit(options: GatedVisitOptions): GatedVisit {
  const { admit, visitTokens, visit, visitWithLead, refusals, counts, unserved } = options;

  return async (link, hit) => {
    const { gate } = link.definition;
    const { request, query, at } = hit;
    const asked = leadOf(link);
    const form = request.method === "POST" ? await readForm(request, LEAD_BYTES_MAX) : null;
    const isOpen = checkGate(gate, { now: at }).does !== "refuse";
    if (form === "too_large" && asked && isOpen) return refusals.ofLink(link, request, { reason: "form_too_large" });
    const values = form === "too_large" ? null : form;
    if (!isRead(request) && !takesForm(link, request, values)) {
      return refusals.ofLink(link, request, {
        reason: "method",
        allow: hasForm(link) ? "GET, HEAD, POST" : undefined,
      });
    }
    const visitToken = values && visitTokens.read(values.get(VISIT_TOKEN_FIELD), link.definition, at);
    if (values && visitToken && (isOpen || checkGate(gate, { now: visitToken.at }).does !== "refuse")) {
      return visitWithLead(link, hit, { form: asked, values, visitToken });
    }
    const isTurnedAway = asked !== null && wantsJson(request.headers);
    const takesPlace = gate.maxClicks !== null && !isTurnedAway && isHuman(request);
    const refusal = await admit(link, hit, { takesPlace, password: () => passwordOf(request, query, values) });
    if (refusal) return refusals.ofLink(link, request, refusal);
    if (asked && isTurnedAway) {
      counts.refusals.lead_required += 1;
      unserved.ofLink(link, "lead_required", !isHuman(request));
      return refuse(request, "lead_required", { details: detailsOf(asked) });
    }
    return visit(link, hit, asked && values && isTyped(asked, values) ? values : undefined);
  };
}

/** True for a request that may have the form of a visit from before the link expired. */
export const maySendLateForm = (link: CompiledLink, { method }: Request, { reason }: Refusal): boolean =>
  reason === "expired" && method === "POST" && leadOf(link) !== null;

const leadOf = ({ definition: { page } }: CompiledLink): LeadCapture | null =>
  page?.kind === "steps" ? page.lead : null;

/**
 * True if the request may have a form. A link that asks for nothing takes only a form of one of its own pages, which
 * was open when the link still asked for a password or for answers.
 */
function takesForm(link: CompiledLink, request: Request, values: URLSearchParams | null): boolean {
  if (request.method !== "POST" || link.definition.page?.kind === "bio") return false;
  if (hasForm(link)) return true;
  return values !== null && (values.has(PASSWORD_FIELD) || values.has(VISIT_TOKEN_FIELD));
}

/** True if the link asks for a password or for answers. */
const hasForm = (link: CompiledLink): boolean => leadOf(link) !== null || link.definition.gate.passwordHash !== null;

/** True if this form was filled in: a password form has none of its fields. */
const isTyped = (asked: LeadCapture, values: URLSearchParams): boolean =>
  values.has(VISIT_TOKEN_FIELD) || leadFieldsOf(asked).some(({ name }) => values.has(name));

function detailsOf(asked: LeadCapture): string[] {
  const consent = asked.consentText ? [`${CONSENT_FIELD}: required`] : [];
  return [...leadFieldsOf(asked).map(({ name }) => `${name}: required`), ...consent];
}

export const isRead = (request: Request): boolean => request.method === "GET" || request.method === "HEAD";
