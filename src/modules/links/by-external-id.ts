/**
 * `PUT links/by-external-id/{externalId}`: keeps a link in step with a record of another system, however often that
 * system sends it. Creates the link if there is none, otherwise updates it; two concurrent requests create one link,
 * and a link that is deleted while it is being changed is created anew.
 */
import type { Link, LinkInput } from "@/contract/links/links";
import { hasLength } from "@/contract/schema";
import type { Tenant } from "@/core/ids";
import { HttpError, invalid, preconditionFailed } from "@/http/errors";
import type { IfMatch } from "@/http/headers/entity-tag";
import { linkIdByExternalId } from "@/modules/addresses/service";
import type { Drizzle } from "@/platform/db/client";
import type { LinkService } from "./service";

export interface ByExternalIdOptions {
  db: Drizzle;
  links: Pick<LinkService, "create" | "update">;
}

/** The conditions under which anything is done. */
interface Only {
  ifMatch?: IfMatch;
  /** The link must not exist yet. */
  createsOnly?: boolean;
}

interface Put {
  link: Link;
  isNew: boolean;
}

export type PutByExternalId = ReturnType<typeof createPutByExternalId>;

export function createPutByExternalId({ db, links }: ByExternalIdOptions) {
  /**
   * Rejects as a creation or a change does, with 400 if the body has an `externalId` that differs from the path's,
   * and with 412 if the request has an `If-Match` and there is no such link, or may only create and there is one.
   */
  return async (tenant: Tenant, externalId: string, input: LinkInput, only: Only = {}): Promise<Put> => {
    const faults = idFaults(externalId, input);
    if (faults.length > 0) throw invalid(faults);
    const wanted = { ...input, externalId };
    const find = () => linkIdByExternalId(db, tenant.orgId, externalId);
    let known = await find();
    for (let tries = 1; ; tries++) {
      try {
        return await put(tenant, known, wanted, only);
      } catch (error) {
        if (!mayBeOutdated(error) || tries === TRIES_MAX) throw error;
        const found = await find();
        if (found === known) throw error;
        known = found;
      }
    }
  };

  async function put(tenant: Tenant, known: string | undefined, wanted: LinkInput, only: Only): Promise<Put> {
    const { ifMatch, createsOnly } = only;
    if (known && createsOnly) throw preconditionFailed("There is a link with this external id already");
    if (known) return { link: await links.update(tenant, known, wanted, ifMatch), isNew: false };
    if (ifMatch !== undefined) throw preconditionFailed("There is no link with this external id");
    return { link: await links.create(tenant, wanted), isNew: true };
  }
}

/** How often another request may create or delete the link while this one is being carried out. */
const TRIES_MAX = 5;

/** What a change or a creation gets if the link was created or deleted since it was looked up. */
const MAYBE_OUTDATED = new Set([404, 409, 429]);

const mayBeOutdated = (error: unknown): boolean => error instanceof HttpError && MAYBE_OUTDATED.has(error.status);

const ID_LENGTH_MAX = 255;

function idFaults(externalId: string, input: LinkInput): string[] {
  const isSound = hasLength(externalId, 1, ID_LENGTH_MAX) && externalId.isWellFormed() && !externalId.includes("\0");
  return [
    ...(isSound ? [] : [`externalId: expected 1 to ${ID_LENGTH_MAX} characters`]),
    ...(input.externalId == null || input.externalId === externalId
      ? []
      : ["externalId: must equal the id in the path, or be omitted"]),
  ];
}
