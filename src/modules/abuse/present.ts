import type { AbuseItem } from "@/contract/abuse";
import type { ShortUrlOf } from "@/platform/link-cache/source";
import { type Suspect, statusOf } from "./store";

/** The wire form of a suspicious click. What is not known of the visitor is left out. */
export function presentSuspect({ click, link, domain }: Suspect, shortUrlOf: ShortUrlOf): AbuseItem {
  return {
    clickId: click.id,
    occurredAt: click.occurredAt.toISOString(),
    link: {
      _id: link.id,
      title: link.title ?? undefined,
      shortUrl: shortUrlOf(domain, link),
      isDeleted: link.deletedAt !== null,
    },
    visitor: {
      _id: BigInt.asUintN(64, click.visitor).toString(16).padStart(16, "0"),
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
