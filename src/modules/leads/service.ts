/**
 * Leads: what visitors submitted in links' forms. Each is stored in one transaction with its figures, so that it is
 * counted exactly once or not at all. A visit leaves one lead, however often its form is sent: a second request waits
 * for the first and then changes nothing. A lead counts like its visit's click: as a person's or a bot's, or nowhere if the
 * click was confirmed as abuse. If the click reaches Postgres later, the lead counts like it then (`clicks/late-leads`).
 */
import type { LeadPage } from "@/contract/links/leads";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import type { RecordLead } from "@/core/pages/lead-form";
import { countEvent } from "@/figures/write/event-figures";
import { notFound } from "@/http/errors";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import type { LinkService } from "@/modules/links/service";
import type { Drizzle } from "@/platform/db/client";
import { takeLane } from "@/platform/db/lanes";
import { boundLockWaits } from "@/platform/db/locks";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import { statementsOn } from "@/platform/db/statements";
import { presentLead } from "./present";
import * as store from "./store";

/**
 * Rejects if Postgres is unreachable, if other writers of the same figures hold their locks too long, and for a link
 * that was deleted with its organization.
 */
export const createLeadRecorder =
  (db: Drizzle): RecordLead =>
  ({ at, ...lead }) =>
    db.transaction(async (tx) => {
      const [occurredAt, orgId] = [new Date(at), lead.orgId as OrgId];
      // Another lead of the same visit, or all lanes of the organization's figures.
      await boundLockWaits(statementsOn(tx));
      const click = await store.clickOfLead(tx, orgId, lead.linkId, lead.clickId);
      const verdict = click?.verdict === "confirmed" ? click.verdict : null;
      const as = { verdict, isBot: click?.isBot ?? null };
      const isNew = await store.insertLead(tx, { id: Bun.randomUUIDv7(), createdAt: occurredAt, ...as, ...lead });
      if (!isNew || verdict === "confirmed") return;
      const counted = { name: as.isBot ? BOT_LEADS_NAME : LEADS_NAME, linkId: lead.linkId, occurredAt };
      await countEvent(tx, orgId, await takeLane(tx, orgId), counted);
    });

export interface LeadOptions {
  db: Drizzle;
  links: Pick<LinkService, "get">;
}

export type LeadService = ReturnType<typeof createLeadService>;

/** All functions throw 404 if the organization has no such link, or it was deleted. */
export function createLeadService({ db, links }: LeadOptions) {
  return {
    /** Lists the newest first. */
    async list(tenant: Tenant, linkId: string, page: number, limit: number): Promise<LeadPage> {
      const { _id } = await links.get(tenant, linkId);
      const { rows, total, isEstimate } = await store.listLeads(db, tenant.orgId, _id, { page, limit });
      return { leads: rows.map(presentLead), ...pagingOf(page, limit, total, isEstimate) };
    },

    /** Erases what the visitor submitted and the visitor's key; the lead still counts in all figures. Throws 404. */
    async erase(tenant: Tenant, linkId: string, id: string) {
      const { _id: ofLink } = await links.get(tenant, linkId);
      if (!isUuid(id)) throw notFound("lead");
      const _id = id.toLowerCase();
      await db.transaction(async (tx) => {
        if (!(await store.eraseLead(tx, tenant.orgId, ofLink, _id))) throw notFound("lead");
        const changes = { linkId: { from: ofLink, to: null } };
        await recordAudit(tx, tenant, { action: "lead.delete", resourceType: "lead", resourceId: _id, changes });
      });
      return { _id, deleted: true as const };
    },
  };
}
