/**
 * Who visits and where from, as far as a record tells. Of the last 32,768 addresses it remembers who came last: whoever
 * comes again with the same headers costs one look-up. A crash loses nothing: it is worked out anew.
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
  /** Undefined for what is no address. */
  address: NumberedKey | undefined;
  place: Place;
}

interface Known extends Sender {
  orgId: string;
  /** The day for which keys hold, and the edition of the places. */
  day: number;
  edition: unknown;
  /** As it was written: keys are made of the text. */
  from: string;
  userAgent: string;
}

const ADDRESSES_MAX = 32_768;
const HEADERS_MAX = 8_192;
const NOWHERE: Place = Object.freeze({});

/** The same object for the same sender, mostly; not to be changed. */
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

  /** The same string for the same header. */
  function kept(header: string): string {
    const same = headers.get(header);
    if (same === undefined) headers.set(header, header);
    return same ?? header;
  }
}

/** Apart from its record: a string that is cut out of a line keeps all of it. */
const copied = (text: string): string => Buffer.from(text).toString();
