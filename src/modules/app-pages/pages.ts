/**
 * Common to all pages of `/app`: failures are shown as pages too, forms are accepted only from pages on this host,
 * and the session comes from the cookie. Pages hold no state; the services behind the API's routes make all changes.
 */
import type { SignedIn } from "@/http/access";
import { unfitFaults } from "@/http/body/unfit";
import type { Caller, CallerOf } from "@/http/caller";
import { HttpError, invalid } from "@/http/errors";
import { isSameOrigin } from "@/http/same-origin";
import type { SessionCookie } from "@/http/session-cookie";
import { toHttpError } from "@/http/wire";
import { readForm } from "@/pages/form";
import type { Log } from "@/platform/telemetry/log";
import { answerAccountPage } from "./answers";
import { type FormFailure, type FormValues, failureOf, formWithoutFaults, type Sentences } from "./form";
import { type AccountTheme, accountThemeOf, type DashboardBrand } from "./look";
import { messagePage } from "./view";

const FORM_BYTES_MAX = 16 * 1024;

export interface PageVisit {
  request: Request;
  path: string;
  query: URLSearchParams;
  look: AccountTheme;
  caller: Caller;
}

export interface PagesOptions {
  callerOf: CallerOf;
  cookie: SessionCookie;
  principals: {
    /** Throws 401. */
    signedIn(token: string, caller: Caller): Promise<SignedIn>;
  };
  /**
   * Returns the brand of the organization whose dashboard the host serves; null if there is none or it cannot be
   * determined. Never rejects.
   */
  dashboardBrandOf(request: Request): Promise<DashboardBrand | null>;
  log: Log;
}

interface Incoming {
  request: Request;
}

export type Pages = ReturnType<typeof createPages>;

export function createPages(options: PagesOptions) {
  const { cookie, principals, log } = options;
  return {
    handleGet:
      (respond: (visit: PageVisit) => Promise<Response>) =>
      async ({ request }: Incoming): Promise<Response> => {
        const visit = await visitOf(options, request);
        return respond(visit).catch((error: unknown) => failed(visit, error));
      },

    /**
     * Handles a form of at most `bytesMax`. `again` shows it once more with its faults and what was typed, except
     * secrets.
     */
    handleForm:
      (form: {
        bytesMax?: number;
        respond(visit: PageVisit, values: FormValues): Promise<Response>;
        sentences(look: AccountTheme, values: FormValues): Sentences;
        again(visit: PageVisit, failed: FormFailure, error: unknown): Promise<Response>;
      }) =>
      async ({ request }: Incoming): Promise<Response> => {
        const visit = await visitOf(options, request);
        const { look, path } = visit;
        if (!isSameOrigin(request)) return foreign(visit);
        const read = await readForm(request, form.bytesMax ?? FORM_BYTES_MAX);
        if (read === "too_large") return failed(visit, new HttpError(413, "The form is too large"));
        const values: FormValues = Object.fromEntries(read ?? []);
        try {
          const faults = unfitFaults(values);
          if (faults.length > 0) throw invalid(faults);
          return await form.respond(visit, values);
        } catch (error) {
          const sentences = form.sentences(look, values);
          const failure = failureOf(error, values, { look, sentences, log });
          return form.again({ ...visit, path }, failure, error).catch((other: unknown) => failed(visit, other));
        }
      },

    /** Returns the session of the browser's cookie; undefined if it is missing, invalid or over. */
    async sessionOf(request: Request): Promise<SignedIn | undefined> {
      const token = cookie.read(request);
      if (token === undefined) return undefined;
      return principals.signedIn(token, options.callerOf(request)).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 401) return undefined;
        throw error;
      });
    },
  };

  function foreign({ look, path }: PageVisit): Response {
    const { alerts, moment } = look.words;
    const html = messagePage(look, { title: moment.title, text: alerts.foreign }, [[path, moment.goOn]]);
    return answerAccountPage(look, html, { status: 403 });
  }

  function failed({ look }: PageVisit, error: unknown): Response {
    const sentences = { fields: {} };
    const { status, headers, state } = failureOf(error, formWithoutFaults().values, { look, sentences, log });
    const { moment } = look.words;
    return answerAccountPage(look, messagePage(look, { title: moment.title, text: state.alert ?? "" }), {
      status,
      headers,
    });
  }
}

/** Reports whether a service refused this field. */
export const isFieldRefused = (error: unknown, field: string): boolean =>
  (toHttpError(error).details ?? []).some((detail) => detail.startsWith(`${field}:`));

async function visitOf(options: PagesOptions, request: Request): Promise<PageVisit> {
  const url = URL.parse(request.url);
  const query = url?.searchParams ?? new URLSearchParams();
  const look = accountThemeOf(request, await options.dashboardBrandOf(request));
  return { request, path: url?.pathname ?? "/", query, look, caller: options.callerOf(request) };
}
