/**
 * The API as the dashboard's pages reach it: `/app/api/v1/…` is `/api/v1/…` with the cookie's session instead of a
 * bearer token, which no script ever holds. Only pages of this very host can use the session.
 */
import { SHOWN_USER } from "@/core/headers/shown-user";
import { APP_PATH } from "../app-path";
import { isCrossOrigin, isSameOrigin } from "../same-origin";
import type { SessionCookie } from "../session-cookie";
import { withOriginal } from "./stand-in";

export const SESSION_PATH = `${APP_PATH}/api/session`;

const PREFIX = `${APP_PATH}/api/`;
/**
 * The routes that concern the signed-in user and their organizations. Routes that sign in or return the session's
 * token are excluded, because a script could read the response.
 */
const REACHED = /^\/api\/v1\/(?:organizations(?:\/|$)|auth\/(?:sessions(?:\/|$)|2fa(?:\/|$)|verify-email\/resend$))/;
const NOTHING = "/api/v1/none";
/** Headers to drop: they belong to the browser's request and must not influence the API. */
const LEFT_OUT = ["authorization", "cookie", "origin"];

/**
 * Returns the request for the API to serve: the rewritten one for a path of the dashboard's API, or else the same
 * request.
 */
export const toApi =
  (cookie: Pick<SessionCookie, "read">) =>
  (request: Request): Request => {
    // Nearly all requests are for the API itself.
    if (!request.url.includes(PREFIX)) return request;
    const url = URL.parse(request.url);
    if (!url?.pathname.startsWith(PREFIX) || url.pathname === SESSION_PATH) return request;
    const path = url.pathname.slice(APP_PATH.length);
    url.pathname = REACHED.test(path) ? path : NOTHING;
    const headers = new Headers(request.headers);
    for (const name of LEFT_OUT) headers.delete(name);
    const token = isOurs(request) ? cookie.read(request) : undefined;
    if (token !== undefined && isForShownUser(request, userOf(token))) headers.set("authorization", `Bearer ${token}`);
    const { method, body, signal } = request;
    return withOriginal(new Request(url.href, { method, headers, body, signal }), request);
  };

/** False if the page shows another user than the one who is signed in. */
export const isForShownUser = ({ headers }: Request, userId: string | undefined): boolean =>
  (headers.get(SHOWN_USER) ?? userId) === userId;

/** Reads the user's id from a session's token. The API then checks the token itself. */
function userOf(token: string): string | undefined {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
  } catch {
    return undefined;
  }
}

const isOurs = (request: Request): boolean =>
  request.method === "GET" || request.method === "HEAD" ? !isCrossOrigin(request) : isSameOrigin(request);
