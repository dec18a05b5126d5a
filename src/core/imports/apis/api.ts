/**
 * Describes how another service's API lists its links: which request comes next, and what its response contains.
 * Pure: `fetch-links` sends the requests, waits and retries. `sources` reads the items.
 */
import type { ImportSource } from "@/contract/links/imports";
import type { ClicksByDay } from "../old-link";
import { SourceRecord } from "../record";
import type { UncountedVisits, VisitsPage } from "./visits";

export interface ApiAccess {
  apiKey: string;
  /** Without a trailing slash. */
  baseUrl: string;
  workspace?: string;
}

export interface ApiRequest {
  /** Appended to the base URL; includes the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Form fields, sent by POST. */
  form?: Readonly<Record<string, string>>;
}

/** A container with its own list of links: a group at Bitly, a domain at Short.io. */
export interface ApiPlace {
  id: string;
  name: string;
}

/** Where a list continues. Contains no secrets, because it is stored with the job. */
export interface ApiCursor {
  /** Null until the service has listed them. */
  places: ApiPlace[] | null;
  place: number;
  /** A page, an offset, an id or the service's own token; null at the beginning. */
  after: string | null;
}

export interface ApiList {
  items: unknown[];
  /** Null at the end. */
  after: string | null;
}

export interface LinkApi {
  source: ImportSource;
  /** Null for services that customers host themselves. */
  baseUrl: string | null;
  /** Returns the headers of every request. */
  headers(access: ApiAccess): Readonly<Record<string, string>>;
  /** For services that list links by place. `of` returns undefined for a response without places. */
  places?: { path: string; of(body: unknown): ApiPlace[] | undefined };
  list(after: string | null, place: ApiPlace | undefined, access: ApiAccess): Omit<ApiRequest, "headers">;
  /** Returns undefined for a response that is not a list. */
  read(body: unknown, after: string | null, place: ApiPlace | undefined): ApiList | undefined;
  /** For items that need a request of their own. `path` returns undefined for an item that does not. */
  details?: {
    path(item: SourceRecord): string | undefined;
    /** Returns the item with its details. */
    into(item: SourceRecord, body: unknown): unknown;
  };
  /** For services that list the visits of an item, `VISITS_PER_PAGE` at a time and the newest first. */
  visits?: {
    count(item: SourceRecord): number | undefined;
    /** `page` is counted from 1. */
    path(item: SourceRecord, page: number): string | undefined;
    /** Returns undefined for a response that is not a list. */
    read(body: unknown): VisitsPage | undefined;
    /** Returns the item with its visits by day, or why they are not known. */
    into(item: SourceRecord, days: ClicksByDay | UncountedVisits): unknown;
  };
}

export const FIRST_CURSOR: ApiCursor = { places: null, place: 0, after: null };

/** Returns the next request, or undefined at the end. */
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

/** Returns a response's items and the cursor behind them, or undefined if the response is not valid. */
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

/** Returns the list under this name, or the response itself if it is a list. */
export function itemsUnder(body: unknown, name?: string): unknown[] | undefined {
  const value = name === undefined ? body : SourceRecord.of(body)?.value(name);
  return Array.isArray(value) ? value : undefined;
}

/** Returns the next page, for services that number pages from 1. */
export const nextPage = (after: string | null): string => String(Number(after ?? 1) + 1);

/** Items that each request repeats from the previous one, because deleting a link moves all later ones up. */
const OVERLAP = 10;

/** Returns the next offset, for services that count links from 0. */
export const nextOffset = (after: string | null, items: number): string =>
  String(Number(after ?? 0) + Math.max(1, items - OVERLAP));
