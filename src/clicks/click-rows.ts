/** Clicks and opens as rows of COPY. What is the same for many of them is made into text once. */
import type { Place } from "@/platform/geo";
import type { AgentFacts } from "@/platform/user-agent";
import type { EnrichedClick } from "./enrich";
import { copyField, copyText } from "./postgres-text";

export const COPY_CLICKS = `copy clicks (
  id, occurred_at, org_id, link_id, visitor, platform,
  device_type, device_vendor, device_model, browser, os, os_version,
  country, region, city, language, referrer,
  utm_source, utm_medium, utm_campaign, utm_term, utm_content,
  route_kind, rule_index, split_key, destination_url, is_bot, bot_reasons, spam_score,
  link_version, domain_id, utc_offset, languages, offered_apps, address_key
) from stdin`;

export function clickRow(click: EnrichedClick): string {
  const { record, utm } = click;
  return `${commonFields(click)}\t${agentFields(click.agent)}\t${placeFields(click.place)}\t${copyField(click.language)}\t${copyField(click.referrer)}\t${utmFields(utm)}\t${record.route}\t${record.ruleIndex ?? "\\N"}\t${copyField(record.splitKey)}\t${copyText(click.destinationUrl)}\t${click.isBot ? "t" : "f"}\t{${click.botReasons.length > 0 ? click.botReasons.join(",") : ""}}\t${click.spamScore}\t${record.linkVersion}\t${click.domainId ?? "\\N"}\t${click.utcOffset}\t${copyField(click.languages)}\t${copyField(record.offeredApps)}\t${click.addressKey ?? "\\N"}\n`;
}

export const COPY_OPENS = `copy opens (
  id, occurred_at, org_id, link_id, visitor, platform, source, is_bot
) from stdin`;

/** An open that comes through the spool is a resolve; deferred ones are written by the match. */
export const SPOOLED_OPEN_SOURCE = "direct";

export function openRow(open: EnrichedClick): string {
  return `${commonFields(open)}\t${SPOOLED_OPEN_SOURCE}\t${open.isBot ? "t" : "f"}\n`;
}

function commonFields({ record, visitor, platform }: EnrichedClick): string {
  const { id, at, orgId, linkId } = record;
  return `${id}\t${instantOf(at)}\t${orgId}\t${linkId}\t${visitor}\t${platform}`;
}

const SECOND_MS = 1_000;
let [second, secondText] = [Number.NaN, ""];

/** As `toISOString`; many visits are of the same second. */
function instantOf(at: number): string {
  const ms = at % SECOND_MS;
  if (at - ms !== second) {
    second = at - ms;
    secondText = new Date(second).toISOString().slice(0, -"000Z".length);
  }
  return `${secondText}${ms < 100 ? (ms < 10 ? "00" : "0") : ""}${ms}Z`;
}

const agentTexts = new WeakMap<AgentFacts, string>();

function agentFields(agent: AgentFacts): string {
  const known = agentTexts.get(agent);
  if (known !== undefined) return known;
  const { deviceType, deviceVendor, deviceModel, browser, os, osVersion } = agent;
  const text = [deviceType, deviceVendor, deviceModel, browser, os, osVersion].map(copyField).join("\t");
  agentTexts.set(agent, text);
  return text;
}

const placeTexts = new WeakMap<Place, string>();

function placeFields(place: Place): string {
  const known = placeTexts.get(place);
  if (known !== undefined) return known;
  const text = [place.country, place.region, place.city].map(copyField).join("\t");
  placeTexts.set(place, text);
  return text;
}

const utmTexts = new WeakMap<EnrichedClick["utm"], string>();

function utmFields(utm: EnrichedClick["utm"]): string {
  const known = utmTexts.get(utm);
  if (known !== undefined) return known;
  const { source, medium, campaign, term, content } = utm;
  const text = [source, medium, campaign, term, content].map(copyField).join("\t");
  utmTexts.set(utm, text);
  return text;
}
