/** A click as sent to webhooks, with its analytics facts and no raw address. */
import type { EnrichedClick } from "../enrich/enrich";

const hexOf = (half: number): string => half.toString(16).padStart(8, "0");

/** Leaves out what is unknown. */
export function clickData(click: EnrichedClick): object {
  const { record, agent, place, utm } = click;
  return {
    _id: record.id,
    occurredAt: new Date(record.at).toISOString(),
    orgId: record.orgId,
    linkId: record.linkId,
    visitorId: hexOf(click.visitor.high) + hexOf(click.visitor.low),
    platform: click.platform,
    deviceType: agent.deviceType,
    deviceVendor: agent.deviceVendor,
    deviceModel: agent.deviceModel,
    browser: agent.browser,
    os: agent.os,
    osVersion: agent.osVersion,
    country: place.country,
    region: place.region,
    city: place.city,
    language: click.language || undefined,
    referrer: click.referrer || undefined,
    utm,
    route: {
      kind: record.route,
      ruleIndex: record.ruleIndex,
      splitKey: record.splitKey,
      destinationUrl: click.destinationUrl,
      ruleNumber: click.ruleNumber,
    },
    isBot: click.isBot,
    botReasons: click.botReasons,
    spamScore: click.spamScore,
  };
}
