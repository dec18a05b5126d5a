import type { AbuseGroup, AbuseItem } from "@/contract/analytics/abuse";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { visitorKeyText } from "@/platform/visitor";
import { type Suspect, type SuspectGroup, type SuspectLink, statusOf } from "./store";

/** Returns the wire format of a suspicious click, without unknown fields. */
export function presentSuspect({ click, link, domain }: Suspect, shortUrlOf: ShortUrlOf): AbuseItem {
  return {
    clickId: click.id,
    occurredAt: click.occurredAt.toISOString(),
    link: presentLink({ link, domain }, shortUrlOf),
    addressId: click.addressKey === null ? null : visitorKeyText(click.addressKey),
    visitor: {
      _id: visitorKeyText(click.visitor),
      platform: click.platform,
      device: click.deviceType ?? undefined,
      browser: click.browser ?? undefined,
      os: click.os ?? undefined,
      country: click.country ?? undefined,
      city: click.city ?? undefined,
      language: click.language ?? undefined,
      referrer: click.referrer ?? undefined,
    },
    reasons: click.botReasons,
    score: click.spamScore,
    status: statusOf(click),
    reviewedBy: click.reviewedBy,
    reviewedAt: click.reviewedAt?.toISOString() ?? null,
    note: click.reviewNote,
  };
}

export function presentGroup(group: SuspectGroup, shortUrlOf: ShortUrlOf): AbuseGroup {
  const { addressKey, link, firstAt, lastAt, ...figures } = group;
  return {
    addressId: addressKey === null ? null : visitorKeyText(addressKey),
    link: link && presentLink(link, shortUrlOf),
    ...figures,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

const presentLink = ({ link, domain }: SuspectLink, shortUrlOf: ShortUrlOf) => ({
  _id: link.id,
  title: link.title ?? undefined,
  shortUrl: shortUrlOf(domain, link),
  isDeleted: link.deletedAt !== null,
});
