/**
 * Suspicious traffic that the click writer's own batches bring to Postgres, verdicts through the service, and the
 * resulting figures, at a fixed time.
 */
import { clickRecord } from "@test/unit/clicks/records";
import { type BotReason, spamScore } from "@/clicks/enrich/bot-signs";
import type { EnrichedClick } from "@/clicks/enrich/enrich";
import { isBotAfter, moveFigures } from "@/clicks/verdicts";
import { BATCH_STEPS, type BatchStep, writeBatch } from "@/clicks/writer/batch";
import { ClickDatabase } from "@/clicks/writer/click-database";
import type { ReviewStatus } from "@/contract/analytics/abuse";
import { PLATFORMS } from "@/contract/platforms";
import type { OrgId, Tenant } from "@/core/ids";
import { HOUR_MS } from "@/core/time/time-range";
import { FigureStore } from "@/figures/write/figure-store";
import { createFigureTurns } from "@/http/figure-turns";
import { createAbuseService } from "@/modules/abuse/service";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { keyOfNumber } from "@/platform/visitor";
import { domainOfLink } from "../analytics/recorded";
import { NOW, type OwnVisit, openAnalytics } from "../analytics/workspace";
import { ownSpool } from "../clicks/fixture";

/** A suspect counts as a bot and has a score of 80; a click of a crowd has 70 and counts as a person's. */
export type OwnClick = Omit<OwnVisit, "source" | "writer"> & {
  id?: string;
  isSuspect?: boolean;
  isCrowd?: boolean;
  address?: bigint;
};

export async function openTraffic() {
  const analytics = await openAnalytics();
  const { url, sql, db } = analytics.database;
  const clock = () => NOW;
  const shortUrlOf = shortUrls("https://wm.test");
  const figuresInTurn = createFigureTurns(db);
  const abuse = createAbuseService({ db, figuresInTurn, clock, shortUrlOf, isBotAfter, moveFigures });
  const open: ClickDatabase[] = [];

  async function workspace() {
    const { org, link, addLink, overview } = await analytics.workspace();
    const actor = {
      type: "user" as const,
      id: Bun.randomUUIDv7(),
      email: "ada@example.com",
      ip: null,
      userAgent: null,
    };
    const tenant: Tenant = { orgId: org as OrgId, actor };

    /** Returns a server that writes clicks of the organization. */
    async function server() {
      const through = new ClickDatabase(url);
      open.push(through);
      const { identity: spool } = await ownSpool(through);
      const figures = new FigureStore((error) => Promise.reject(error));
      let offset = 0;
      /** Writes one batch and returns the ids of its clicks. */
      return async (clicks: OwnClick[], steps: readonly BatchStep[] = BATCH_STEPS) => {
        const enriched = clicks.map((click) => enrichedClick(org, click.link ?? link, click));
        const from = { segment: 0, offset };
        const to = { segment: 0, offset: ++offset };
        await writeBatch(through, figures, { spool, from, to, clicks: enriched }, steps);
        return enriched.map(({ record }) => record.id);
      };
    }

    return {
      org,
      link,
      tenant,
      server,
      abuse,
      addLink,
      overview,
      review: (clickId: string, status: ReviewStatus, note?: string) => abuse.review(tenant, clickId, { status, note }),
    };
  }

  async function close() {
    for (const each of open) await each.close();
    await analytics.close();
  }
  return { workspace, sql, close };
}

function enrichedClick(orgId: string, linkId: string, click: OwnClick): EnrichedClick {
  const at = Date.parse(click.at);
  const platform = PLATFORMS.find((each) => each === click.platform) ?? "other";
  const { isSuspect = false, isCrowd = false, isBot = isSuspect } = click;
  const botReasons: BotReason[] = isSuspect ? ["repeat"] : isCrowd ? ["crowd"] : isBot ? ["crawler"] : [];
  return {
    record: clickRecord({ id: click.id ?? Bun.randomUUIDv7(), at, orgId, linkId }),
    end: { segment: 0, offset: 0 },
    hour: at - (at % HOUR_MS),
    visitor: keyOfNumber(click.visitor),
    addressKey: click.address === undefined ? null : keyOfNumber(click.address),
    platform,
    agent: { platform, deviceType: click.device, browser: click.browser, os: click.os, bot: null, isCrawler: false },
    place: { country: click.country, city: click.city },
    language: click.language ?? "",
    referrer: click.referrer ?? "",
    utm: {},
    destinationUrl: "https://example.com/",
    ruleNumber: null,
    domainId: domainOfLink.get(linkId),
    languages: "",
    utcOffset: 0,
    isBot,
    botReasons,
    spamScore: spamScore(botReasons),
  };
}
