import { isIP } from "node:net";
import type { WebhookUpdate } from "@/contract/webhooks";
import { normaliseDestination } from "@/core/routing/destination";
import { invalid } from "@/http/errors";
import type { AddressClass } from "@/platform/outbound/addresses";
import type { WebhookValues } from "./store";

/**
 * Returns the given fields as they are stored. A host name is resolved and checked at each delivery; an IP address in
 * its place can be rejected here. Throws 400 with every fault.
 */
export function checkedWebhookFields(
  input: WebhookUpdate,
  classOf: (address: string) => AddressClass,
): Partial<Pick<WebhookValues, "url" | "events" | "description" | "isActive" | "batch">> {
  const url = input.url === undefined ? undefined : checkedUrl(input.url, classOf);
  if (url && !url.ok) throw invalid([`url: ${url.fault}`]);
  const { events, description, isActive, batch } = input;
  return {
    ...(url && { url: url.url }),
    ...(events !== undefined && { events: [...events] }),
    ...(description !== undefined && { description }),
    ...(isActive !== undefined && { isActive }),
    ...(batch !== undefined && { batch }),
  };
}

function checkedUrl(text: string, classOf: (address: string) => AddressClass) {
  const normalised = normaliseDestination(text);
  if (!normalised.ok) return normalised;
  const host = new URL(normalised.url).hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const isRefused = isIP(host) !== 0 && classOf(host) === "refused";
  return isRefused ? { ok: false as const, fault: "must not be a private network address" } : normalised;
}
