/** Stores custom events. Each is one transaction with its figures, so that it is counted exactly once or not at all. */
import type { CustomEvent, CustomEventInput } from "@/contract/events";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { countEvent } from "@/figures/write/event-figures";
import { awaitAllFaults } from "@/http/body/combined-faults";
import { checkFreeObject } from "@/http/body/free-object";
import { invalid, notFoundInField, unauthenticated } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { answerOnce, replayAnswer } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { isNewPartitionFault } from "@/platform/db/faults";
import { takeLane } from "@/platform/db/lanes";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { presentEvent } from "./present";
import * as store from "./store";

export type EventService = ReturnType<typeof createEventService>;

export interface EventOptions {
  db: Drizzle;
  clock: Clock;
  announce: Announce;
}

export function createEventService({ db, clock, announce }: EventOptions) {
  return {
    /**
     * Throws 400 for invalid fields and for an idempotency key that was used with another body, 404 for a link that
     * is not the organization's.
     */
    async create(tenant: Tenant, input: CustomEventInput, once?: KeyedRequest): Promise<CustomEvent> {
      const linkId = await checked(tenant, input);
      const now = clock();
      const { orgId } = tenant;
      const replayed = await replayAnswer<CustomEvent>(db, orgId, once);
      if (replayed) return replayed;
      const event = {
        ...{ ...input, id: Bun.randomUUIDv7(), occurredAt: new Date(now) },
        linkId: linkId ?? (await linkOfVisit(orgId, input)),
      };
      const write = () => writeOnce(orgId, once, event);
      return write().catch((error) => {
        if (isNewPartitionFault(error)) return write();
        throw error;
      });
    },

    /** Throws for these fields as `create` would. */
    async check(tenant: Tenant, input: Partial<CustomEventInput>): Promise<void> {
      await checked(tenant, input);
    },
  };

  /** Returns the link's id as it is stored. Throws one error with all faults. */
  async function checked(tenant: Tenant, input: Partial<CustomEventInput>): Promise<string | null> {
    const [linkId] = await awaitAllFaults([ownLink(tenant, input.linkId), Promise.try(() => checkFields(input))]);
    return linkId;
  }

  /** Returns the link that the event's visitor clicked, if the event names the visitor by the id of a click. */
  async function linkOfVisit(orgId: OrgId, { visitorId }: CustomEventInput): Promise<string | undefined> {
    return visitorId ? await store.linkOfClick(db, orgId, visitorId) : undefined;
  }

  function writeOnce(orgId: OrgId, once: KeyedRequest | undefined, event: store.EventValues): Promise<CustomEvent> {
    return db.transaction((tx) =>
      answerOnce(tx, orgId, once, async () => {
        const lane = await takeLane(tx, orgId);
        // A deletion takes all lanes before it deletes events: what is stored after that would stay.
        if (!(await store.isOrganization(tx, orgId))) throw unauthenticated();
        await store.insertEvent(tx, orgId, event);
        await countEvent(tx, orgId, lane, event);
        const data = presentEvent(event);
        await announce(preparedStatementsOn(tx), {
          event: "custom.event",
          orgId,
          at: event.occurredAt.getTime(),
          data,
        });
        return data;
      }),
    );
  }

  async function ownLink({ orgId }: Tenant, id: string | null | undefined): Promise<string | null> {
    if (id === null || id === undefined) return null;
    if (!isUuid(id) || !(await store.isLinkOf(db, orgId, id))) throw notFoundInField("linkId", "link");
    return id.toLowerCase();
  }
}

/** Checks what the schema cannot express. */
function checkFields({ name, metadata }: Partial<CustomEventInput>): void {
  const faults = checkFreeObject("metadata", metadata);
  if (name?.trim() === "") faults.push("name: must not be blank");
  if (faults.length > 0) throw invalid(faults);
}
