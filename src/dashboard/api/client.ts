/** API client, typed by the service's OpenAPI document. The session cookie authenticates the user. */
import createClient from "openapi-fetch";
import { hasOnlyCopy } from "../drafts/only-copy";
import { NotedRequest } from "./asked-for";
import type { components, paths } from "./document";
import { failureOf, OtherUser, type Refusal, SignedOut, Unreachable } from "./failures";
import { shownUser, shownUserHeader } from "./shown-user";
import { strongTag } from "./strong-tag";

export type Schemas = components["schemas"];

/** Path prefix under which the service accepts the session cookie instead of a token. */
export const API_BASE = "/app";

export const api = createClient<paths>({ baseUrl: API_BASE, Request: NotedRequest });
api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(shownUserHeader())) request.headers.set(name, value);
  },
});

interface Answer<Data> {
  data?: Data;
  /** Plain text if the response does not come from the API. */
  error?: Refusal | string;
  response: Response;
}

/** Returns the response's data. Throws `ApiFailure` or `Unreachable`; see `signIn` for a session that has ended. */
export async function unwrap<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw isAbort(cause) ? cause : new Unreachable(undefined, { cause });
  });
  if (response.ok) return data as Data;
  if (response.status === 401) return signIn();
  throw await failureOf(response, error);
}

/** A response together with its entity tag, which a later change sends back as `If-Match`. */
export type Tagged<Data> = Data & { etag: string };

export async function unwrapWithEtag<Data extends object>(asked: Promise<Answer<Data>>): Promise<Tagged<Data>> {
  const data = await unwrap(asked);
  const { response } = await asked;
  return { ...data, etag: strongTag(response.headers.get("etag")) };
}

/** Header that makes the API reject a change if the resource is no longer the version that was read. */
export const ifMatch = ({ etag }: { etag: string }) => ({ "If-Match": etag });

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** The sign-in page, which returns to the current URL. */
export const signInUrl = (): string =>
  `${API_BASE}/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`;

export const SESSION_URL = `${API_BASE}/api/session`;

/**
 * Goes to the sign-in page, and then never settles. With unsaved changes or input, or a secret that is shown once, which
 * leaving would lose, throws `SignedOut` instead: the user signs in in another tab. If someone else is signed in there,
 * the sign-in page leads back here, to what they may see.
 */
export async function signIn(): Promise<never> {
  if (hasOnlyCopy()) throw await whySignedOut();
  location.assign(signInUrl());
  return new Promise(() => {});
}

async function whySignedOut(): Promise<SignedOut> {
  const answer = await fetch(SESSION_URL).catch(() => undefined);
  const { user }: { user?: Schemas["User"] } = answer?.ok ? await answer.json() : {};
  const own = shownUser();
  return user && own && user._id !== own._id ? new OtherUser({ other: user.email, own: own.email }) : new SignedOut();
}
