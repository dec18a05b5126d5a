/**
 * `PUT links/by-external-id/{externalId}`: keeps a link in step with a record of another system, however often that
 * system sends it. Creates the link if there is none, otherwise updates it; two concurrent requests create one link.
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

interface Put {
  link: Link;
  isNew: boolean;
}

export type PutByExternalId = ReturnType<typeof createPutByExternalId>;

export function createPutByExternalId({ db, links }: ByExternalIdOptions) {
  /**
   * Rejects as a creation or a change does, with 400 if the body has an `externalId` that differs from the path's,
   * and with 412 if the request has an `If-Match` and there is no such link.
   */
  return async (tenant: Tenant, externalId: string, input: LinkInput, ifMatch?: IfMatch): Promise<Put> => {
    const faults = idFaults(externalId, input);
    if (faults.length > 0) throw invalid(faults);
    const wanted = { ...input, externalId };
    const change = async (id: string) => ({ link: await links.update(tenant, id, wanted, ifMatch), isNew: false });
    const known = await linkIdByExternalId(db, tenant.orgId, externalId);
    if (known) return change(known);
    if (ifMatch !== undefined) throw preconditionFailed("There is no link with this external id");
    try {
      return { link: await links.create(tenant, wanted), isNew: true };
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 409)) throw error;
      const madeMeanwhile = await linkIdByExternalId(db, tenant.orgId, externalId);
      if (!madeMeanwhile) throw error;
      return change(madeMeanwhile);
    }
  };
}

const ID_LENGTH_MAX = 255;

function idFaults(externalId: string, input: LinkInput): string[] {
  const isSound = hasLength(externalId, 0, ID_LENGTH_MAX) && externalId.isWellFormed() && !externalId.includes("\0");
  return [
    ...(isSound ? [] : [`externalId: expected 1 to ${ID_LENGTH_MAX} characters`]),
    ...(input.externalId == null || input.externalId === externalId
      ? []
      : ["externalId: must equal the id in the path, or be omitted"]),
  ];
}
