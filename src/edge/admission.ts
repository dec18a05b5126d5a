/**
 * The way into links that ask for something first (a password, a form) or admit only so many: what has to be asked before
 * the gate can tell. In the gate's order; a place of `maxClicks` is taken last, by a human whom nothing else refuses, and
 * not by those who are turned away to fill in a form.
 */
import type { Server } from "bun";
import type { LeadCapture } from "@/contract/links/link-pages";
import { CONSENT_FIELD, leadBytesMax, leadFieldsOf } from "@/core/lead-form";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import type { LinkGate } from "@/core/routing/link";
import { readForm } from "@/pages/form";
import type { ClientAddress } from "@/platform/client-address";
import { refuse } from "./answers";
import type { BrandedRefusals } from "./branded-refusals";
import type { Admission } from "./click-limit";
import type { VisitWithLead } from "./interstitials/lead-visit";
import { PASS_FIELD, type Passes } from "./interstitials/visit-token";
import { type CheckPassword, PASSWORD_FORM_BYTES_MAX, passwordOf } from "./link-password";
import { isHuman, wantsJson } from "./person";
import type { Refused } from "./refusals";
import type { UnservedVisits } from "./unserved";
import type { Visit } from "./visit";
import type { VisitCounts } from "./visit-counts";

export interface EntranceOptions {
  checkPassword: CheckPassword;
  admission: Admission;
  addressOf: ClientAddress;
  passes: Passes;
  visit: Visit;
  visitWithLead: VisitWithLead;
  refusals: BrandedRefusals;
  counts: VisitCounts;
  unserved: UnservedVisits;
}

/** Rejects when what has to be asked cannot be. */
export type Enter = (
  link: CompiledLink,
  request: Request,
  server: Server<unknown>,
  query: string,
  at: number,
) => Promise<Response>;

export function createEntrance(options: EntranceOptions): Enter {
  const { checkPassword, admission, addressOf, passes, visit, visitWithLead, refusals, counts, unserved } = options;

  return async (link, request, server, query, at) => {
    const { gate } = link.definition;
    // First of all, or what is said of a method or a form would tell of a link that nobody is told of.
    const early = earlyRefusal(gate, at);
    if (early) return refusals.ofLink(link, request, early);
    const asked = leadOf(link);
    const isPost = request.method === "POST";
    if (!isRead(request) && !(isPost && (asked || gate.passwordHash !== null))) {
      return refusals.ofLink(link, request, { reason: "method" });
    }
    const form = isPost ? await readForm(request, asked ? leadBytesMax(asked) : PASSWORD_FORM_BYTES_MAX) : null;
    if (form === "too_large" && asked) return refusals.ofLink(link, request, { reason: "form_too_large" });
    const values = form === "too_large" ? null : form;
    const pass = asked && values ? passes.read(values.get(PASS_FIELD), link.definition, at) : null;
    if (asked && values && pass) {
      return visitWithLead(link, request, server, { form: asked, values, pass, query, at });
    }
    const isTurnedAway = asked !== null && wantsJson(request.headers);
    const takesPlace = gate.maxClicks !== null && !isTurnedAway && isHuman(request);
    const password = () => passwordOf(request, query, values);
    const visitor = { address: addressOf(request, server), signal: request.signal };
    const refusal = await refusalOf(link, { visitor, takesPlace, password, at });
    if (refusal) return refusals.ofLink(link, request, refusal);
    if (asked && isTurnedAway) {
      counts.refusals.lead_required += 1;
      unserved.ofLink(link, "lead_required", !isHuman(request));
      return refuse(request, "lead_required", { details: detailsOf(asked) });
    }
    return visit(link, request, server, query, at, asked && values && isTyped(asked, values) ? values : undefined);
  };

  interface Asking {
    visitor: { address: string; signal: AbortSignal };
    takesPlace: boolean;
    password(): string | null;
    at: number;
  }

  async function refusalOf(link: CompiledLink, { visitor, takesPlace, password, at }: Asking): Promise<Refused | null> {
    const { id, gate } = link.definition;
    const { maxClicks, passwordHash } = gate;
    const asksRoomFirst = maxClicks !== null && (!takesPlace || passwordHash !== null);
    if (asksRoomFirst && !(await admission.hasRoom(id, maxClicks))) return USED_UP;
    const checked = await checkPassword(link, password(), visitor);
    if (typeof checked === "object") return { reason: "attempts", ...checked };
    const refusal = checkGate({ ...gate, maxClicks: null }, { now: at, password: checked });
    if (refusal) return refusal;
    const isOut = maxClicks !== null && takesPlace && !(await admission.admit(link.definition, maxClicks));
    return isOut ? USED_UP : null;
  }
}

const USED_UP: Refused = { reason: "max_clicks_reached" };

/** What needs nothing to be asked. */
const earlyRefusal = (gate: LinkGate, at: number): Refused | null =>
  checkGate({ ...gate, maxClicks: null, passwordHash: null }, { now: at, password: "absent" });

const leadOf = ({ definition: { page } }: CompiledLink): LeadCapture | null =>
  page?.kind === "steps" ? page.lead : null;

/** Whether somebody has filled in this form: the one of a password alone has none of its fields. */
const isTyped = (asked: LeadCapture, values: URLSearchParams): boolean =>
  values.has(PASS_FIELD) || leadFieldsOf(asked).some(({ name }) => values.has(name));

function detailsOf(asked: LeadCapture): string[] {
  const consent = asked.consentText ? [`${CONSENT_FIELD}: required`] : [];
  return [...leadFieldsOf(asked).map(({ name }) => `${name}: required`), ...consent];
}

export const isRead = (request: Request): boolean => request.method === "GET" || request.method === "HEAD";
