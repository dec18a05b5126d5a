/**
 * Derives from a record who visits and from where. Remembers the latest sender of each of the last 32,768 addresses,
 * so that a sender that returns with the same headers costs one lookup. A crash loses nothing: everything can be
 * derived again.
 */
import { mapAddress } from "@/core/networks";
import { createBoundedMap } from "@/platform/bounded-map";
import type { Geo, Place } from "@/platform/geo/geo";
import { type AgentFacts, parseUserAgent } from "@/platform/user-agent";
import { dayOf, type NumberedKey, networkKey, numberedVisitorKey, type VisitorSecret } from "@/platform/visitor";
import type { ClickRecord } from "../record";
import { type Languages, languagesOf } from "./source";

export interface Sender {
  agent: AgentFacts;
  languages: Languages;
  visitor: NumberedKey;
  /** Key of the sender's network; undefined if the record has no valid address. */
  address: NumberedKey | undefined;
  place: Place;
}

interface Known extends Sender {
  orgId: string;
  /** The day for which the keys are valid, and the edition of the geolocation database. */
  day: number;
  edition: unknown;
  /** The address as written, because keys are derived from its text. */
  from: string;
  userAgent: string;
}

const ADDRESSES_MAX = 32_768;
const HEADERS_MAX = 8_192;
const NOWHERE: Place = Object.freeze({});

/** The returned function usually gives the same object for the same sender. It must not be changed. */
export function createSenders(geo: Geo, secret: VisitorSecret): (record: ClickRecord) => Sender {
  const known = createBoundedMap<number | string, Known>(ADDRESSES_MAX);
  const headers = createBoundedMap<string, string>(HEADERS_MAX);

  return (record) => {
    const bits = mapAddress(record.address);
    const key = typeof bits === "number" ? bits : record.address;
    const last = known.get(key);
    const neighbour = last && isSameNetwork(last, record) ? last : undefined;
    const { userAgent, acceptLanguage, visitorId } = record;
    const isSame = neighbour?.userAgent === userAgent && neighbour.languages.header === acceptLanguage;
    if (neighbour && isSame && !visitorId) return neighbour;
    const sender = workedOut(record, neighbour);
    if (!visitorId) known.set(key, sender);
    return sender;
  };

  function isSameNetwork({ orgId, day, edition, from }: Known, record: ClickRecord): boolean {
    const isSame = orgId === record.orgId && from === record.address;
    return isSame && day === dayOf(secret, record.at) && edition === geo.edition;
  }

  function workedOut(record: ClickRecord, neighbour: Known | undefined): Known {
    return {
      orgId: record.orgId,
      day: dayOf(secret, record.at),
      edition: geo.edition,
      from: copied(record.address),
      userAgent: kept(record.userAgent),
      agent: parseUserAgent(record.userAgent),
      languages: languagesOf(record.acceptLanguage),
      visitor: numberedVisitorKey(secret, record),
      address: neighbour ? neighbour.address : networkKey(secret, record),
      place: neighbour ? neighbour.place : (geo.lookup(record.address) ?? NOWHERE),
    };
  }

  /** Returns the same string object for equal headers. */
  function kept(header: string): string {
    const same = headers.get(header);
    if (same === undefined) headers.set(header, header);
    return same ?? header;
  }
}

/** Copies the text, because a substring keeps the whole line in memory. */
const copied = (text: string): string => Buffer.from(text).toString();
