/** Turns what the edge recorded into what is stored: everything about a visit that was not needed to respond to it. */
import type { Platform } from "@/contract/platforms";
import type { Utm } from "@/contract/routing";
import { minutesEastOf } from "@/core/time/local-time";
import { HOUR_MS } from "@/core/time/time-range";
import type { Geo, Place } from "@/platform/geo/geo";
import type { AgentFacts } from "@/platform/user-agent";
import type { NumberedKey, VisitorSecret } from "@/platform/visitor";
import type { ClickRecord } from "../record";
import type { Position } from "../spool/segment-reader";
import { type BotReason, declaredReasons } from "./bot-signs";
import { createJudge, type JudgedVisit, ruleKey, type VisitVerdict } from "./judge";
import { destinationOf, type LinkTargets, ruleNumberOf } from "./link-targets";
import { createSenders, type Sender } from "./senders";
import type { ShareMarks } from "./shared-marks";
import { referrerHost, utmOf } from "./source";

export interface EnrichedClick {
  record: ClickRecord;
  /** Position in the spool after the record. */
  end: Position;
  /** The start of its hour in Unix milliseconds. */
  hour: number;
  visitor: NumberedKey;
  /** The sender's network as a key (`networkKey`); null if the record has no valid address. */
  addressKey: NumberedKey | null;
  platform: Platform;
  agent: AgentFacts;
  place: Place;
  language: string;
  referrer: string;
  utm: Utm;
  destinationUrl: string;
  /** Null unless a rule decided. */
  ruleNumber: number | null;
  /** The languages as the rules saw them, separated by commas; empty when unknown. */
  languages: string;
  /** The offset of the visitor's local time, in minutes east of UTC. */
  utcOffset: number;
  /** Absent if the link's history does not contain it. */
  domainId?: string;
  isBot: boolean;
  botReasons: readonly BotReason[];
  spamScore: number;
}

/** A record with its link's destinations, before its batch is judged. */
export interface SpooledVisit {
  record: ClickRecord;
  targets: LinkTargets;
  /** Position in the spool after the record. */
  end: Position;
}

/** Enriches one batch at a time, in spool order. Rejects, without side effects, if shared state cannot be read. */
export type Enrich = (visits: readonly SpooledVisit[]) => Promise<EnrichedClick[]>;

/** Visits per slice. Between slices, the thread's other work gets a turn. */
const SLICE_VISITS = 512;

/** Without `share`, this process judges clicks by what it has seen itself. */
export function createEnrichment(geo: Geo, secret: VisitorSecret, share?: ShareMarks): Enrich {
  const judge = createJudge(share);
  const senderOf = createSenders(geo, secret);

  return async (visits) => {
    const senders = await inSlices(visits, ({ record }) => senderOf(record));
    const verdicts = await judge(
      visits.map(({ record }, place) => toJudgedVisit(record, senders[place] ?? senderOf(record))),
    );
    return inSlices(visits, (visit, place) =>
      enrichClick(visit, senders[place] ?? senderOf(visit.record), verdicts[place]),
    );
  };
}

function enrichClick(
  { record, targets, end }: SpooledVisit,
  { agent, visitor, address, languages, place }: Sender,
  { reasons, isBot, spamScore }: VisitVerdict = UNJUDGED,
): EnrichedClick {
  const platform = record.platform ?? agent.platform;
  return {
    record,
    end,
    hour: record.at - (record.at % HOUR_MS),
    visitor,
    addressKey: address ?? null,
    platform,
    agent,
    place,
    language: languages.first,
    referrer: referrerHost(record.referrer),
    utm: utmOf(record.query, targets.utm),
    destinationUrl: destinationOf(targets, record, platform),
    ruleNumber: ruleNumberOf(targets, record),
    languages: languages.all,
    utcOffset: minutesEastOf(place.timeZone, record.at),
    domainId: targets.domainId,
    isBot,
    botReasons: reasons,
    spamScore,
  };
}

const UNJUDGED: VisitVerdict = { reasons: [], isBot: false, spamScore: 0 };

/**
 * Chooses the keys a visit is judged by. Browsers, which make clicks, differ in more than their address. Apps, which
 * make opens, do not: all phones of a carrier look alike, so only the visitor id that an app sends can show
 * repetition.
 */
function toJudgedVisit(record: ClickRecord, { agent, visitor, address, languages }: Sender): JudgedVisit {
  const { at, id, orgId, linkId, isHead, isPrefetch, hints } = record;
  const isOpen = record.kind === "open";
  const agentBot = isOpen ? botAmongPrograms(agent) : agent.bot;
  const link = Bun.hash.xxHash32(linkId);
  const keys = isOpen
    ? { visitor: record.visitorId ? ruleKey("visitor", visitor, ~link) : undefined, apps: keyAt("apps", address) }
    : {
        visitor: ruleKey("visitor", visitor, Math.imul(link, SPREAD) ^ languages.hash ^ hashOf(hints)),
        address: keyAt("address", address),
      };
  return { at, id, orgId, declared: declaredReasons({ agentBot, isHead, isPrefetch }), keys };
}

/** Odd, so that different links stay different. */
const SPREAD = 0xcc9e2d51;
const hashOf = (hints?: string) => (hints ? Bun.hash.xxHash32(hints) : 0);
const keyAt = (rule: "address" | "apps", address?: NumberedKey) => address && ruleKey(rule, address);

/** Only declared crawlers count as bots: an API for programs is naturally called by programs. */
const botAmongPrograms = ({ isCrawler }: AgentFacts) => (isCrawler ? "crawler" : null);

async function inSlices<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result) {
  const results: Result[] = [];
  for (let place = 0; place < items.length; place++) {
    if (place % SLICE_VISITS === SLICE_VISITS - 1) await new Promise(setImmediate);
    const item = items[place];
    if (item !== undefined) results.push(work(item, place));
  }
  return results;
}
