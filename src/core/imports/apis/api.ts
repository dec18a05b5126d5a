/**
 * How the API of another service lists its links: which request comes next, and what is in its answer. Pure: who asks, waits and
 * tries again is elsewhere. The items are those that `sources` reads.
 */
import type { ImportSource } from "@/contract/links/imports";
import { SourceRecord } from "../record";

export interface ApiAccess {
  apiKey: string;
  /** Without a slash at its end. */
  baseUrl: string;
  workspace?: string;
}

export interface ApiRequest {
  /** With its query; behind the base URL. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as a form, by POST. */
  form?: Readonly<Record<string, string>>;
}

/** What holds links, each with a list of its own: Bitly's groups, Short.io's domains. */
export interface ApiPlace {
  id: string;
  name: string;
}

/** Where a list goes on. Holds nothing secret: it is kept with the job. */
export interface ApiCursor {
  /** Null until they have been asked for. */
  places: ApiPlace[] | null;
  place: number;
  /** What the service goes on from: a page, an offset, an id or a token of its own. Null at the beginning. */
  after: string | null;
}

export interface ApiList {
  items: unknown[];
  /** Null at the end. */
  after: string | null;
}

export interface LinkApi {
  source: ImportSource;
  /** Null where everybody has a server of their own. */
  baseUrl: string | null;
  /** What is asked with every request. */
  headers(access: ApiAccess): Readonly<Record<string, string>>;
  /** Where links are listed by the place that holds them; undefined for an answer that lists none. */
  places?: { path: string; of(body: unknown): ApiPlace[] | undefined };
  list(after: string | null, place: ApiPlace | undefined, access: ApiAccess): Omit<ApiRequest, "headers">;
  /** Undefined for an answer that is no list. */
  read(body: unknown, after: string | null, place: ApiPlace | undefined): ApiList | undefined;
  /** What is to be asked for an item by itself. */
  details?: {
    path(item: SourceRecord): string | undefined;
    /** The item with them. */
    into(item: SourceRecord, body: unknown): unknown;
  };
}

export const FIRST_CURSOR: ApiCursor = { places: null, place: 0, after: null };

/** What to ask for next; undefined at the end. */
export function nextRequest(api: LinkApi, access: ApiAccess, cursor: ApiCursor): ApiRequest | undefined {
  const headers = api.headers(access);
  const { places, place, after } = cursor;
  if (!api.places) return place > 0 ? undefined : { ...api.list(after, undefined, access), headers };
  if (places === null) return { path: api.places.path, headers };
  const current = places[place];
  return current && { ...api.list(after, current, access), headers };
}

export interface ApiStep {
  items: unknown[];
  cursor: ApiCursor;
}

/** What an answer says, and where to go on behind it; undefined for one that the service should not give. */
export function readAnswer(api: LinkApi, cursor: ApiCursor, body: unknown): ApiStep | undefined {
  if (api.places && cursor.places === null) {
    const places = api.places.of(body);
    return places && { items: [], cursor: { places, place: 0, after: null } };
  }
  const list = api.read(body, cursor.after, cursor.places?.[cursor.place]);
  if (!list) return undefined;
  const isOver = list.after === null;
  return {
    items: list.items,
    cursor: { ...cursor, place: isOver ? cursor.place + 1 : cursor.place, after: list.after },
  };
}

/** A list under a name, or the answer itself. */
export function itemsUnder(body: unknown, name?: string): unknown[] | undefined {
  const value = name === undefined ? body : SourceRecord.of(body)?.value(name);
  return Array.isArray(value) ? value : undefined;
}

/** Of services that number their pages from 1. */
export const nextPage = (after: string | null): string => String(Number(after ?? 1) + 1);

/** What lists shift by when links are deleted while they are read: so many are asked for twice. */
const OVERLAP = 10;

/** Of services that count from the first link. */
export const nextOffset = (after: string | null, items: number): string =>
  String(Number(after ?? 0) + Math.max(1, items - OVERLAP));
