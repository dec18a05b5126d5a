/** Encodes clicks and opens as rows of COPY. What many of them share is encoded once. */
import { SPOOLED_OPEN_SOURCE } from "@/figures/write/rollup";
import { type BinaryRows, binaryRows, fieldsOf } from "@/platform/db/binary-rows";
import type { Place } from "@/platform/geo/geo";
import type { AgentFacts } from "@/platform/user-agent";
import type { EnrichedClick } from "../enrich/enrich";

const CLICK_COLUMNS = [
  ...["id", "occurred_at", "org_id", "link_id", "visitor", "address_key", "platform"],
  ...["device_type", "device_vendor", "device_model", "browser", "os", "os_version"],
  ...["country", "region", "city"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
  ...["language", "languages", "referrer", "route_kind", "rule_index", "split_key", "destination_url"],
  ...["is_bot", "bot_reasons", "spam_score", "link_version", "domain_id", "utc_offset", "offered_apps", "asked"],
  "rule_number",
] as const;
const OPEN_COLUMNS = ["id", "occurred_at", "org_id", "link_id", "visitor", "platform", "source", "is_bot"] as const;

export const COPY_CLICKS = `copy clicks (${CLICK_COLUMNS.join(", ")}) from stdin (format binary)`;
export const COPY_OPENS = `copy opens (${OPEN_COLUMNS.join(", ")}) from stdin (format binary)`;

export const clickRows = (clicks: readonly EnrichedClick[]) => binaryRows(clicks, CLICK_COLUMNS.length, putClick);
export const openRows = (opens: readonly EnrichedClick[]) => binaryRows(opens, OPEN_COLUMNS.length, putOpen);

function putClick(rows: BinaryRows, click: EnrichedClick): void {
  const { record } = click;
  putIdentity(rows, click);
  if (click.addressKey === null) rows.null();
  else rows.key(click.addressKey);
  rows.text(click.platform);
  rows.shared(agentFields(click.agent));
  rows.shared(placeFields(click.place));
  rows.shared(utmFields(click.utm));
  rows.textOrNull(click.language);
  rows.textOrNull(click.languages);
  rows.textOrNull(click.referrer);
  rows.text(record.route);
  if (record.ruleIndex === null) rows.null();
  else rows.int16(record.ruleIndex);
  rows.textOrNull(record.splitKey);
  rows.text(click.destinationUrl);
  rows.bool(click.isBot);
  rows.shared(reasonsField(click.botReasons));
  rows.int16(click.spamScore);
  rows.int32(record.linkVersion);
  if (click.domainId === undefined) rows.null();
  else rows.uuid(click.domainId);
  rows.int16(click.utcOffset);
  rows.textOrNull(record.offeredApps);
  rows.textOrNull(record.asked);
  if (click.ruleNumber === null || click.ruleNumber === record.ruleIndex) rows.null();
  else rows.int32(click.ruleNumber);
}

function putOpen(rows: BinaryRows, open: EnrichedClick): void {
  putIdentity(rows, open);
  rows.text(open.platform);
  rows.text(SPOOLED_OPEN_SOURCE);
  rows.bool(open.isBot);
}

function putIdentity(rows: BinaryRows, { record, visitor }: EnrichedClick): void {
  rows.uuid(record.id);
  rows.instant(record.at);
  rows.uuid(record.orgId);
  rows.uuid(record.linkId);
  rows.key(visitor);
}

/** Encodes an object that many visits share once, and keeps the result as long as the object. */
function once<Shared extends object>(put: (rows: BinaryRows, shared: Shared) => void) {
  const known = new WeakMap<Shared, Uint8Array>();
  return (shared: Shared): Uint8Array => {
    const kept = known.get(shared);
    if (kept) return kept;
    const fields = fieldsOf((rows) => put(rows, shared));
    known.set(shared, fields);
    return fields;
  };
}

const agentFields = once<AgentFacts>((rows, { deviceType, deviceVendor, deviceModel, browser, os, osVersion }) => {
  for (const text of [deviceType, deviceVendor, deviceModel, browser, os, osVersion]) rows.textOrNull(text);
});

const placeFields = once<Place>((rows, { country, region, city }) => {
  for (const text of [country, region, city]) rows.textOrNull(text);
});

const utmFields = once<EnrichedClick["utm"]>((rows, { source, medium, campaign, term, content }) => {
  for (const text of [source, medium, campaign, term, content]) rows.textOrNull(text);
});

const reasonsField = once<EnrichedClick["botReasons"]>((rows, reasons) => rows.texts(reasons));
