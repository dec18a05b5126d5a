/**
 * Handles a form that was sent with a visit token. Its visit was admitted and counted when the form was shown, so
 * this only stores the answers and sends the visitor on, by the route chosen then. If the link has ceased to ask for
 * them meanwhile, nothing is stored.
 *
 * The lead is stored before the visitor goes on. If that fails, or if too many forms come from one address, the form
 * is shown again with the values entered.
 */
import type { LeadCapture } from "@/contract/links/link-pages";
import { checkLead, type RecordLead } from "@/core/pages/lead-form";
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { Geo } from "@/platform/geo/geo";
import { addressLimiter } from "@/platform/limits/address";
import type { Limits } from "@/platform/limits/limits";
import { requestIdOf } from "@/platform/request-id";
import type { Log } from "@/platform/telemetry/log";
import { redirectAfterForm, refuseInJson } from "../answers";
import type { Hit } from "../hit";
import { wantsJson } from "../person";
import { visitorFacts } from "../visitor-facts";
import type { FormFeedback, Interstitials } from "./interstitials";
import { routeOfKey } from "./kept-route";
import type { RoutedVisit } from "./routed-visit";
import type { VisitToken } from "./visit-token";

export interface LeadVisitOptions {
  geo: Geo;
  limits: Limits;
  interstitials: Interstitials;
  recordLead: RecordLead;
  log: Log;
}

export interface SentForm {
  /** Null if the link has no form any more. */
  form: LeadCapture | null;
  values: URLSearchParams;
  visitToken: VisitToken;
}

type Answers = SentForm & { form: LeadCapture };

export type VisitWithLead = (link: CompiledLink, hit: Hit, sent: SentForm) => Promise<Response>;

export function createLeadVisit(options: LeadVisitOptions): VisitWithLead {
  const { geo, interstitials, recordLead, log } = options;
  const takeForm = addressLimiter(options.limits, "lead-forms");

  return async (link, hit, { form, ...sent }) => {
    const visit = routed(link, hit, sent.visitToken);
    const refused = form && (await stored(link, hit, visit, { form, ...sent }));
    if (refused) return refused;
    return (await interstitials.proceed(visit)) ?? redirectAfterForm(303, interstitials.destinationOf(visit));
  };

  /** Stores the answers. Returns the form to be shown again if they cannot be stored. */
  async function stored(
    link: CompiledLink,
    hit: Hit,
    visit: RoutedVisit,
    sent: Answers,
  ): Promise<Response | undefined> {
    const { form, values, visitToken } = sent;
    const { request, at } = hit;
    const { ok, retryAfterSeconds } = await takeForm(hit.address);
    if (!ok) return again(visit, sent, TOO_MANY, { headers: { "retry-after": `${retryAfterSeconds}` } });
    const checked = checkLead(form, values);
    if (!checked.ok) return again(visit, sent, INVALID, { faults: checked.faults });
    const { id: linkId, orgId } = link.definition;
    const { clickId, visitorKey: visitorId } = visitToken;
    try {
      await recordLead({ orgId, linkId, clickId, visitorId, fields: checked.fields, at });
    } catch (error) {
      const requestId = requestIdOf(request);
      log.warn("could not store a lead", { requestId, linkId, error });
      return again(visit, sent, UNAVAILABLE, { headers: { "retry-after": "1", "x-request-id": requestId } });
    }
    return undefined;
  }

  /** Shows the form again with the values entered. Clients that ask for JSON get the Error body. */
  function again(
    visit: RoutedVisit,
    { form, values }: Answers,
    { status, error, alert }: Refusal,
    { faults, headers }: Pick<FormFeedback, "faults" | "headers">,
  ): Response | Promise<Response> {
    if (!wantsJson(visit.request.headers)) {
      return interstitials.showFormAgain(visit, form, { status, alert, values, faults, headers });
    }
    const details = faults?.map(({ name, fault }) => `${name}: ${fault}`);
    return refuseInJson(status, { error, details }, headers);
  }

  /**
   * Returns the visit with the route it had when the form was shown. If the link has that route no longer, the visit is
   * routed again, by its time and visitor key.
   */
  function routed(link: CompiledLink, hit: Hit, visitToken: VisitToken): RoutedVisit {
    const { request, query, visitor, at: answeredAt } = hit;
    const { clickId, at } = visitToken;
    const visitorKey = () => visitToken.visitorKey;
    const kept = visitToken.route === undefined ? undefined : routeOfKey(link, visitToken.route);
    const route = kept ?? link.route(visitorFacts(link, visitor, geo, at), { visitorKey });
    const { userAgent, referrer } = visitor;
    return { link, route, request, query, userAgent, referrer, clickId, at, answeredAt, visitorKey };
  }
}

interface Refusal {
  status: number;
  error: string;
  alert: FormFeedback["alert"];
}

const INVALID: Refusal = { status: 400, error: "The form has invalid fields", alert: "check" };
const TOO_MANY: Refusal = {
  status: 429,
  error: "Too many forms sent from your network; try again in a minute",
  alert: "tooMany",
};
const UNAVAILABLE: Refusal = {
  status: 503,
  error: "Your answers cannot be saved right now; try again shortly",
  alert: "unavailable",
};
