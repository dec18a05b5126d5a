/** From what the edge noted to what is stored: everything about a visit that did not have to be known to answer it. */
import type { Platform, Utm } from "@/contract/routing";
import { minutesEastOf } from "@/core/time/local-time";
import type { Geo, Place } from "@/platform/geo/geo";
import { type AgentFacts, parseUserAgent } from "@/platform/user-agent";
import { createAddressKeys, type VisitorSecret, visitorKey, visitorNumber } from "@/platform/visitor";
import type { ClickRecord } from "../record";
import type { Position } from "../spool/segment-reader";
import { type BotReason, declaredReasons } from "./bot-signs";
import { createJudge, type JudgedVisit, type Verdict } from "./judge";
import { destinationOf, type LinkTargets } from "./link-targets";
import type { ShareMarks } from "./shared-marks";
import { languageOf, languagesOf, referrerHost, utmOf } from "./source";

export interface EnrichedClick {
  record: ClickRecord;
  /** Where the spool goes on behind it. */
  end: Position;
  /** Start of its hour, Unix milliseconds. */
  hour: number;
  visitor: bigint;
  /** Where it came from, as `createAddressKeys` has it. */
  addressKey: bigint | null;
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

/** What is known of a record before its batch is judged. */
export interface SpooledVisit {
  record: ClickRecord;
  targets: LinkTargets;
  /** Where the spool goes on behind it. */
  end: Position;
}

/** A batch at a time, in the order of the spool. Rejects where what is shared cannot be asked for; then nothing is done. */
export type Enrich = (visits: readonly SpooledVisit[]) => Promise<EnrichedClick[]>;

/** Between slices, whatever else the thread has under way gets its turn. */
const SLICE_VISITS = 512;

/** Without `share` this process alone judges clicks. */
export function createEnrichment(geo: Geo, secret: VisitorSecret, share?: ShareMarks): Enrich {
  const judge = createJudge(share);
  const addressKeyOf = createAddressKeys(secret);

  return async (visits) => {
    const callers = await inSlices(visits, callerOf);
    const verdicts = await judge(callers.map(({ judged }) => judged));
    return inSlices(visits, (visit, place) => enriched(visit, callers[place], verdicts[place]));
  };

  /** Who comes, as far as it is judged. */
  function callerOf({ record }: SpooledVisit) {
    const agent = parseUserAgent(record.userAgent);
    const visitor = visitorKey(secret, record);
    const address = addressKeyOf(record);
    return { agent, visitor, address, judged: judgedAs(record, agent, visitor, address) };
  }

  function enriched(
    { record, targets, end }: SpooledVisit,
    caller = callerOf({ record, targets, end }),
    { reasons, isBot, spamScore }: Verdict = UNJUDGED,
  ): EnrichedClick {
    const { agent, visitor, address } = caller;
    const platform = record.platform ?? agent.platform;
    const place = geo.lookup(record.address) ?? NOWHERE;
    return {
      record,
      end,
      hour: record.at - (record.at % HOUR_MS),
      visitor: visitorNumber(visitor),
      addressKey: address === undefined ? null : visitorNumber(address),
      platform,
      agent,
      place,
      language: languageOf(record.acceptLanguage),
      referrer: referrerHost(record.referrer),
      utm: utmOf(record.query, targets.utm),
      destinationUrl: destinationOf(targets, record, platform),
      languages: languagesOf(record.acceptLanguage),
      utcOffset: minutesEastOf(place.timeZone, record.at),
      domainId: targets.domainId,
      isBot,
      botReasons: reasons,
      spamScore,
    };
  }
}

const UNJUDGED: Verdict = { reasons: [], isBot: false, spamScore: 0 };

/**
 * Clicks are browsers', which tell themselves apart by more than an address. Opens are apps': a carrier's phones all look
 * alike there, so that only what an app calls its visitor can be seen to repeat itself.
 */
function judgedAs(record: ClickRecord, agent: AgentFacts, visitor: string, address?: string): JudgedVisit {
  const { at, id, orgId, linkId, isHead, isPrefetch, acceptLanguage, hints = "" } = record;
  const isOpen = record.kind === "open";
  const agentBot = isOpen ? botAmongPrograms(agent) : agent.bot;
  const keys = isOpen
    ? { visitor: record.visitorId ? `open ${visitor} ${linkId}` : undefined, apps: address }
    : { visitor: `${visitor} ${linkId} ${acceptLanguage} ${hints}`, address };
  return { at, id, orgId, declared: declaredReasons({ agentBot, isHead, isPrefetch }), keys };
}

/** An API for programs is asked by programs. */
const botAmongPrograms = ({ isCrawler }: AgentFacts) => (isCrawler ? "crawler" : null);

async function inSlices<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result) {
  const results: Result[] = [];
  for (const [place, item] of items.entries()) {
    if (place % SLICE_VISITS === SLICE_VISITS - 1) await new Promise(setImmediate);
    results.push(work(item, place));
  }
  return results;
}
