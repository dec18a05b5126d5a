/**
 * Writes the webhook deliveries of a batch's clicks and opens in the batch's own transaction. One query finds the
 * listening webhooks; usually there are none, and nothing else is done. Bots' clicks and opens are never announced.
 *
 * Bounds: deliveries are copied `COPY_ROWS` at a time, so that a large batch takes bounded memory.
 */
import type { MarketingAttribution, Utm } from "@/contract/routing";
import { additionsOf } from "@/core/routing/destination";
import { withAdditions } from "@/core/routing/store";
import type { OccurredEvent } from "@/core/webhooks/message";
import { openData } from "@/core/webhooks/open-data";
import { SPOOLED_OPEN_SOURCE } from "@/figures/write/rollup";
import { arrayLiteral } from "@/platform/db/array-literals";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { type Delivery, deliveriesOf, findListeners, type ListeningWebhook } from "@/platform/webhooks/webhook-outbox";
import type { EnrichedClick } from "../enrich/enrich";
import { organizationsOf } from "./deleted-organizations";
import { copyText } from "./postgres-text";
import { clickData } from "./told-click";
import type { BatchTransaction } from "./transaction";

const COPY_ROWS = 2_000;
const COPY_DELIVERIES = "copy webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at) from stdin";

const EVENTS = ["click", "link.opened"] as const;

/**
 * Sends the query whether any webhook listens. A webhook that starts to listen before the batch commits gets the next
 * one.
 */
export function hasListeners(tx: BatchTransaction, clicks: readonly EnrichedClick[]): Promise<boolean> {
  const found = findListeners({ run: tx.send }, organizationsOf(clicks), EVENTS).then(
    (listening) => listening !== null,
  );
  // Only marks the rejection as handled: a later `await` still rejects.
  found.catch(() => undefined);
  return found;
}

/** `baseUrl` gives the scheme of the shared domain's short URLs. */
export async function announceVisits(
  tx: BatchTransaction,
  clicks: readonly EnrichedClick[],
  baseUrl: string,
): Promise<void> {
  const listening = await findListeners(tx, organizationsOf(clicks), EVENTS);
  if (!listening) return;
  const links = await openedLinks(tx, listening, clicks);
  let rows: string[] = [];
  for (const delivery of deliveriesOf(listening, happenings(clicks, links, baseUrl))) {
    rows.push(copyRow(delivery));
    if (rows.length < COPY_ROWS) continue;
    await tx.copy(COPY_DELIVERIES, [rows.join("")]);
    rows = [];
  }
  if (rows.length > 0) await tx.copy(COPY_DELIVERIES, [rows.join("")]);
}

interface OpenedLink {
  id: string;
  title: string | null;
  slug: string;
  pathPrefix: string;
  deepLinkPayload: Record<string, unknown> | null;
  utm: Utm | null;
  marketing: MarketingAttribution | null;
  hostname: string;
  domainOrgId: string | null;
}

/** Loads the current links, deleted ones included, of the opens that a webhook listens for. */
async function openedLinks(
  tx: BatchTransaction,
  { audience }: ListeningWebhook,
  clicks: readonly EnrichedClick[],
): Promise<Map<string, OpenedLink>> {
  const ids = new Set<string>();
  for (const click of clicks) {
    const { record } = click;
    if (record.kind !== "open" || click.isBot) continue;
    if (audience.of({ orgId: record.orgId, event: "link.opened" }).length > 0) ids.add(record.linkId);
  }
  if (ids.size === 0) return new Map();
  const rows = await tx.run<OpenedLink>(SELECT_LINKS, [arrayLiteral([...ids])]);
  return new Map(rows.map((row) => [row.id, row]));
}

const SELECT_LINKS = `
  select l.id, l.title, l.slug, l.path_prefix as "pathPrefix", l.deep_link_payload as "deepLinkPayload", l.utm, l.marketing,
    d.hostname, d.org_id as "domainOrgId"
  from links l join domains d on d.id = l.domain_id where l.id = any($1::text::uuid[])`;

function* happenings(
  clicks: readonly EnrichedClick[],
  links: Map<string, OpenedLink>,
  baseUrl: string,
): Generator<[OccurredEvent]> {
  for (const click of clicks) {
    if (click.isBot) continue;
    const { kind, orgId, at, linkId } = click.record;
    const link = links.get(linkId);
    if (kind === "open" && link) yield [{ event: "link.opened", orgId, at, data: openOf(click, link, baseUrl) }];
    if (kind === "click") yield [{ event: "click", orgId, at, data: clickData(click) }];
  }
}

function openOf({ record, platform, destinationUrl }: EnrichedClick, link: OpenedLink, baseUrl: string): object {
  const { hostname, domainOrgId, utm, marketing } = link;
  const shortUrl = shortUrls(baseUrl)({ hostname, orgId: domainOrgId }, link);
  const isOfStore = record.route === "store" || destinationUrl === "";
  return openData({
    openId: record.id,
    link: { id: link.id, shortUrl, title: link.title },
    deepLinkPayload: link.deepLinkPayload ?? {},
    destinationUrl: isOfStore ? destinationUrl : withAdditions(destinationUrl, additionsOf(utm, marketing)),
    source: SPOOLED_OPEN_SOURCE,
    platform,
  });
}

const copyRow = ({ id, orgId, webhookId, event, messageId, body, dueAt }: Delivery): string =>
  `${id}\t${orgId}\t${webhookId}\t${event}\t${messageId}\t${copyText(body)}\t${dueAt}\n`;
