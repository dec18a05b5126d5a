/** An organization's links in the service's own file format, newest first. */

import type { OrgId, Tenant } from "@/core/ids";
import type { FileLink } from "@/core/links-file/columns";
import { chunksOf } from "@/http/chunks";
import { requireDomain } from "@/modules/addresses/service";
import { exportedLinks } from "../list";
import type { ListPlace } from "../list-order";
import type { LinkListFilter } from "../list-places";
import { presentLink } from "../present";
import type { LinkReaderOptions } from "../read";
import { appNames } from "../store";

export type WriteLink = (link: FileLink) => string;

export function createLinkExport({ db, clock, shortUrlOf }: LinkReaderOptions) {
  return {
    /** As many lines as make a chunk. Throws 404 for a foreign domain. */
    async exported(tenant: Tenant, filter: LinkListFilter, write: WriteLink): Promise<AsyncGenerator<string[]>> {
      if (filter.domainId !== undefined) await requireDomain(db, tenant, filter.domainId);
      return chunksOf(await linesOf(tenant.orgId, filter, write), (line) => line.length);
    },

    /** All of them, for an archive, from behind a link's id on. */
    archived: (orgId: OrgId, write: WriteLink) => ({
      name: "links",
      async read(after: string[] | null, limit: number) {
        const [linkId] = after ?? [];
        const read = await linesOf(orgId, { isArchived: "either" }, write);
        const { rows, next } = await read(linkId === undefined ? undefined : { key: "", linkId }, limit);
        return { lines: rows.map((line) => line.trimEnd()), next: next && [next.linkId] };
      },
    }),
  };

  async function linesOf(orgId: OrgId, filter: LinkListFilter, write: WriteLink) {
    const [now, names] = [new Date(clock()), await appNames(db, orgId)];
    return async (after: ListPlace | undefined, limit: number) => {
      const { rows, next } = await exportedLinks(db, orgId, filter, now, { after, limit });
      const lines = rows.map((record) => {
        const appProfileName = names.get(record.link.appProfileId ?? "");
        return write({ ...presentLink(record, shortUrlOf), domain: record.domain.hostname, appProfileName });
      });
      return { rows: lines, next };
    };
  }
}
