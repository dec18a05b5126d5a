/** The API by the types of its own document. The session's cookie speaks for whoever is signed in. */
import createClient from "openapi-fetch";
import { NotedRequest } from "./asked-for";
import type { components, paths } from "./document";
import { failureOf, type Refusal, Unreachable } from "./failures";
import { strongTag } from "./strong-tag";

export type Schemas = components["schemas"];

/** Below it the service puts the session in place of a token. */
export const API_BASE = "/app";

export const api = createClient<paths>({ baseUrl: API_BASE, Request: NotedRequest });

interface Answer<Data> {
  data?: Data;
  /** Text, where it is none of the API's. */
  error?: Refusal | string;
  response: Response;
}

/** What was answered. Throws `ApiFailure` and `Unreachable`; leads to the sign-in where the session is over. */
export async function ask<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw isAbort(cause) ? cause : new Unreachable(undefined, { cause });
  });
  if (response.ok) return data as Data;
  if (response.status === 401) return signIn();
  throw failureOf(response, error);
}

/** What was answered, with the tag by which a change of it says what it was made of. */
export type Tagged<Data> = Data & { etag: string };

export async function askTagged<Data extends object>(asked: Promise<Answer<Data>>): Promise<Tagged<Data>> {
  const data = await ask(asked);
  const { response } = await asked;
  return { ...data, etag: strongTag(response.headers.get("etag")) };
}

/** The header of a change that is made only of what was read. */
export const ifMatch = ({ etag }: { etag: string }) => ({ "If-Match": etag });

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Back to the same address afterwards. Never resolves: the page is left. */
export function signIn(): Promise<never> {
  location.assign(`${API_BASE}/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}
