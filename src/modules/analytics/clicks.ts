/** Lists individual clicks, newest first, and explains why a click led where it did. */
import type { Sql } from "postgres";
import {
  CLICKS_LIMIT,
  type Click,
  type ClickDetail,
  type ClickPage,
  type ClicksQuery,
} from "@/contract/analytics/clicks";
import { isUuid, type OrgId, timeOfId } from "@/core/ids";
import { MINUTE_MS } from "@/core/time/time-range";
import { invalid, notFound } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { ABUSE_SCORE_MIN } from "@/platform/db/schema/clicks";
import { type ClicksExport, exportClicks } from "./clicks-export";
import { type FiguresQuery, validateQuery } from "./figures-query";
import { presentRange } from "./present";
import { readSplitLabels } from "./split-labels";
import { type ClickPlace, findClick, readClicks, type StoredClick, type StoredClicksQuery } from "./stored-clicks";
import { clickLanguages, explainClick, visitorKeyOf } from "./why";

export type ClicksWanted = FiguresQuery & Pick<ClicksQuery, "platform">;
export type ClickPageAsked = ClicksWanted & Pick<ClicksQuery, "cursor" | "limit">;

export interface ClickReader {
  /** Throws 400 for an invalid range or cursor, 404 for a link or domain that is not the organization's. */
  list(orgId: OrgId, query: ClickPageAsked): Promise<ClickPage>;
  /** Exports all matching clicks. Throws as `list` does. */
  export(orgId: OrgId, query: ClicksWanted): Promise<ClicksExport>;
  /** Throws 404 for an unknown click. */
  get(orgId: OrgId, clickId: string): Promise<ClickDetail>;
}

export function createClickReader({ sql, clock }: { sql: Sql; clock: Clock }): ClickReader {
  const read = (orgId: OrgId, asked: StoredClicksQuery) =>
    sql.begin("isolation level repeatable read read only", async (tx) => {
      // A plan that suits a frequent value does not suit a rare one.
      await tx`set local plan_cache_mode = force_custom_plan`;
      return readClicks(tx, orgId, asked);
    });

  return {
    async list(orgId, { cursor, limit = CLICKS_LIMIT.default, platform, ...query }) {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const { range, filters, includeBots } = await validateQuery(sql, orgId, query, clock());
      const { clicks, next } = await read(orgId, { span: range, filters, includeBots, platform, after, limit });
      const labelOf = await readSplitLabels(sql, orgId, clicks);
      return {
        range: presentRange(range),
        clicks: clicks.map((click) => presentClick(click, labelOf(click))),
        nextCursor: next ? cursorOf(next) : null,
      };
    },

    async export(orgId, { platform, ...query }) {
      const { range, filters, includeBots } = await validateQuery(sql, orgId, query, clock());
      return exportClicks(range, async (after, limit) => {
        const { clicks, next } = await read(orgId, { span: range, filters, includeBots, platform, after, limit });
        return { rows: clicks.map((click) => presentClick(click)), next };
      });
    },

    async get(orgId, clickId) {
      const at = isUuid(clickId) ? timeOfId(clickId) : undefined;
      const click = at === undefined ? undefined : await findClick(sql, orgId, { at, id: clickId });
      if (!click) throw notFound("click");
      const { linkVersion, utcOffset } = click;
      const labelOf = await readSplitLabels(sql, orgId, [click]);
      return {
        ...presentClick(click, labelOf(click)),
        languages: clickLanguages(click),
        localTime: utcOffset === null ? undefined : localTimeOf(click.at, utcOffset),
        linkVersion: linkVersion ?? undefined,
        why: await explainClick(sql, orgId, click),
      };
    },
  };
}

const TIME_MAX = Date.UTC(9999, 11, 31);

const cursorOf = ({ at, id }: ClickPlace): string => Buffer.from(`${at} ${id}`).toString("base64url");

function placeOf(cursor: string): ClickPlace {
  const [, time = "", id = ""] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const at = Number(time);
  if (time === "" || !isUuid(id) || at > TIME_MAX)
    throw invalid(["cursor: expected the nextCursor of a previous page"]);
  return { at, id };
}

const TO_THE_MINUTE = 16;

const localTimeOf = (at: number, minutesEast: number): string =>
  new Date(at + minutesEast * MINUTE_MS).toISOString().slice(0, TO_THE_MINUTE);

const presentClick = (click: StoredClick, splitLabel?: string): Click => ({
  _id: click.id,
  occurredAt: new Date(click.at).toISOString(),
  linkId: click.linkId,
  domainId: click.domainId ?? undefined,
  visitorId: visitorKeyOf(click),
  platform: click.platform,
  deviceType: click.deviceType ?? undefined,
  deviceVendor: click.deviceVendor ?? undefined,
  deviceModel: click.deviceModel ?? undefined,
  browser: click.browser ?? undefined,
  os: click.os ?? undefined,
  osVersion: click.osVersion ?? undefined,
  country: click.country ?? undefined,
  region: click.region ?? undefined,
  city: click.city ?? undefined,
  language: click.language ?? undefined,
  referrer: click.referrer ?? undefined,
  utm: {
    source: click.utmSource ?? undefined,
    medium: click.utmMedium ?? undefined,
    campaign: click.utmCampaign ?? undefined,
    term: click.utmTerm ?? undefined,
    content: click.utmContent ?? undefined,
  },
  route: {
    kind: click.routeKind,
    ruleIndex: click.ruleIndex,
    splitKey: click.splitKey,
    splitLabel,
    destinationUrl: click.destinationUrl,
    ruleNumber: click.ruleNumber,
  },
  isBot: click.isBot,
  botReasons: click.botReasons,
  spamScore: click.spamScore,
  status: click.verdict ?? (click.spamScore >= ABUSE_SCORE_MIN ? "pending" : null),
});
