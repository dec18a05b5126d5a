/**
 * Exports an organization's links in the service's own file format, newest first. Their places are read in chunks and
 * the links themselves `LINKS_AT_ONCE` at a time, as fast as the client takes them: a link may hold nearly a
 * megabyte.
 */
import type { OrgId, Tenant } from "@/core/ids";
import type { FileLink } from "@/core/links-file/columns";
import { chunksOf } from "@/http/chunks";
import { requireDomain } from "@/modules/addresses/service";
import { exportedPlaces } from "../list";
import type { SortPosition } from "../list-order";
import type { LinkListFilter } from "../list-sources";
import { presentLink } from "../present";
import type { LinkReaderOptions } from "../read";
import { appNames, findGatedLinks, type LinkRecord } from "../store";
import { countedDaysOf } from "./counted-days";
import { formerDaysOf } from "./former-days";

export type WriteLink = (link: FileLink) => string;

export interface LinkForm {
  write: WriteLink;
  /** Whether links have their clicks by day. Defaults to true. */
  hasDays?: boolean;
}

/** Length of a place, in characters. */
const LENGTHS = { length: () => 100, lengthMax: 100 };
const LINKS_AT_ONCE = 50;
const ARCHIVED_CHARACTERS = 4_000_000;

export type LinkExporter = Pick<ReturnType<typeof createLinkExport>, "exported">;

export function createLinkExport({ db, clock, shortUrlOf }: LinkReaderOptions) {
  return {
    /** Yields some lines at a time. Throws 404 for another organization's domain. */
    async exported(tenant: Tenant, filter: LinkListFilter, form: LinkForm): Promise<AsyncGenerator<string[]>> {
      if (filter.domainId !== undefined) await requireDomain(db, tenant, filter.domainId);
      return exportedLines(tenant.orgId, filter, form);
    },

    /**
     * Reads all links for an archive, continuing after a link's id. A read returns fewer links than `limit` if they
     * are long.
     */
    archived: (orgId: OrgId, write: WriteLink) => ({
      name: "links",
      async read(after: string[] | null, limit: number) {
        const [linkId] = after ?? [];
        const { places, linesOf } = await openedExport(orgId, { isArchived: "either" }, { write });
        const { rows, next } = await places(linkId === undefined ? undefined : { key: "", linkId }, limit);
        const lines: string[] = [];
        let characters = 0;
        for await (const { some, last } of linesOf(rows)) {
          lines.push(...some.map((line) => line.trimEnd()));
          characters += some.reduce((sum, line) => sum + line.length, 0);
          if (characters > ARCHIVED_CHARACTERS && last !== rows.at(-1)) return { lines, next: [last.linkId] };
        }
        return { lines, next: next && [next.linkId] };
      },
    }),
  };

  async function* exportedLines(orgId: OrgId, filter: LinkListFilter, form: LinkForm): AsyncGenerator<string[]> {
    const { places, linesOf } = await openedExport(orgId, filter, form);
    for await (const rows of chunksOf(places, LENGTHS)) {
      for await (const { some } of linesOf(rows)) yield some;
    }
  }

  async function daysByLink(orgId: OrgId, records: readonly LinkRecord[]) {
    const links = records.map(({ link: { id, clicksBefore }, clickCount }) => ({ id, clicksBefore, clickCount }));
    const [former, counted] = await Promise.all([formerDaysOf(db, orgId, links), countedDaysOf(db, orgId, links)]);
    return (id: string) => ({ clickCountByDay: counted.get(id), clicksByDay: former.get(id) });
  }

  async function openedExport(orgId: OrgId, filter: LinkListFilter, { write, hasDays = true }: LinkForm) {
    const [now, names] = [new Date(clock()), await appNames(db, orgId)];
    return {
      places: (after: SortPosition | undefined, limit: number) =>
        exportedPlaces(db, orgId, filter, now, { after, limit }),
      async *linesOf(places: readonly SortPosition[]) {
        for (let start = 0; start < places.length; start += LINKS_AT_ONCE) {
          const slice = places.slice(start, start + LINKS_AT_ONCE);
          const ids = slice.map(({ linkId }) => linkId);
          const records = await findGatedLinks(db, orgId, ids);
          const daysOf = hasDays ? await daysByLink(orgId, records) : () => ({});
          const some = records.map((record) => {
            const { link, domain, admitted } = record;
            const appProfileName = names.get(link.appProfileId ?? "");
            const admittedVisits = link.maxClicks === null ? undefined : admitted;
            const others = { domain: domain.hostname, appProfileName, admittedVisits, ...daysOf(link.id) };
            return write({ ...presentLink(record, shortUrlOf), ...others });
          });
          const last = slice.at(-1);
          if (some.length > 0 && last) yield { some, last };
        }
      },
    };
  }
}
