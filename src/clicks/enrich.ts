/** From what the edge noted to what is stored: everything about a visit that did not have to be known to answer it. */
import type { Platform, Utm } from "@/contract/routing";
import { minutesEastOf } from "@/core/local-time";
import type { Geo, Place } from "@/platform/geo";
import { type AgentFacts, parseUserAgent } from "@/platform/user-agent";
import { type VisitorSecret, visitorKey, visitorNumber } from "@/platform/visitor";
import { type BotReason, createBotSigns } from "./bot-signs";
import { destinationOf, type LinkTargets } from "./link-targets";
import type { ClickRecord } from "./record";
import type { Position } from "./segment-reader";
import { languageOf, languagesOf, referrerHost, utmOf } from "./source";

export interface EnrichedClick {
  record: ClickRecord;
  /** Where the spool goes on behind it. */
  end: Position;
  /** Start of its hour, Unix milliseconds. */
  hour: number;
  visitor: bigint;
  platform: Platform;
  agent: AgentFacts;
  place: Place;
  language: string;
  referrer: string;
  utm: Utm;
  destinationUrl: string;
  /** As the rules saw them, separated by commas; empty when unknown. */
  languages: string;
  /** Of the visitor's local time, in minutes east of UTC. */
  utcOffset: number;
  /** Absent where the link's history does not tell. */
  domainId?: string;
  isBot: boolean;
  botReasons: readonly BotReason[];
  spamScore: number;
}

const HOUR_MS = 3_600_000;
const NOWHERE: Place = Object.freeze({});

/** Counts each click it is given for the signs of bots: to be called once for each, in the order of the spool. */
export type Enrich = (record: ClickRecord, targets: LinkTargets, end: Position) => EnrichedClick;

export function createEnrichment(geo: Geo, secret: VisitorSecret): Enrich {
  const { judge } = createBotSigns();
  return (record, targets, end) => {
    const { at, linkId, isHead, isPrefetch } = record;
    const agent = parseUserAgent(record.userAgent);
    const platform = record.platform ?? agent.platform;
    const visitor = visitorKey(secret, record);
    const agentBot = record.kind === "open" ? botAmongPrograms(agent) : agent.bot;
    const place = geo.lookup(record.address) ?? NOWHERE;
    const { reasons, spamScore } = judge({ at, linkId, visitor, agentBot, isHead, isPrefetch });
    return {
      record,
      end,
      hour: at - (at % HOUR_MS),
      visitor: visitorNumber(visitor),
      platform,
      agent,
      place,
      language: languageOf(record.acceptLanguage),
      referrer: referrerHost(record.referrer),
      utm: utmOf(record.query, targets.utm),
      destinationUrl: destinationOf(targets, record, platform),
      languages: languagesOf(record.acceptLanguage),
      utcOffset: minutesEastOf(place.timeZone, at),
      domainId: targets.domainId,
      isBot: reasons.length > 0,
      botReasons: reasons,
      spamScore,
    };
  };
}

/** Opens are asked for by apps, through an API for programs. */
const botAmongPrograms = ({ isCrawler }: AgentFacts) => (isCrawler ? "crawler" : null);
