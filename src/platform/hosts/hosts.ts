/**
 * Holds every verified custom host in memory. What is asked of it (whether to get a certificate, whether to trust an
 * origin, whose files to serve, where to send visitors without a link) is answered immediately, even while Postgres
 * is away.
 *
 * States: current → notified of a change → reading → current. After a change of an organization, its hosts are read
 * anew; after a change of unknown origin, all are. What is notified during a read is read after it. Each notification
 * returns a promise that resolves once the change has been read. While reading fails, the hosts stay as they were,
 * and it is retried every second. Bounds: the number of verified hosts; `AWAITED_MAX` organizations that wait to be
 * read (beyond that, all hosts are read); `PAGE` rows per query, one query at a time. A crash loses nothing:
 * everything is read at start.
 */
import type { Sql } from "postgres";
import type { DomainRedirects } from "@/contract/domains";
import { comparedHostname } from "@/core/names/hostname";
import type { Log } from "../telemetry/log";
import { throttleReports } from "../telemetry/throttle-reports";

const PAGE = 10_000;
const AWAITED_MAX = 1_000;
const RETRY_MS = 1_000;
const SAY_EVERY_MS = 10_000;

export interface Host {
  hostname: string;
  domainId: string;
  orgId: string;
  /** True if the dashboard is served there. */
  isDashboard: boolean;
  isPrimary: boolean;
  /** True if slugs that differ only by case are different. */
  isCaseSensitive: boolean;
  redirects: DomainRedirects;
  /** Slug of the bio page at the root, in the form in which slugs are compared; null if there is none. */
  rootSlug: string | null;
}

export interface HostDirectory {
  /** Returns the verified host of this name, in any case, with or without a port. Reads only memory. */
  of(hostname: string): Host | undefined;
}

export interface HostsOptions {
  sql: Sql;
  /** Registers a listener for changes: those of one organization, or of any if it is called without an ID. */
  onOrganization(listener: (orgId?: string) => Promise<void>): void;
  log: Log;
}

/** Rejects if the hosts cannot be read. */
export async function openHosts({ sql, onOrganization, log }: HostsOptions): Promise<HostDirectory & Disposable> {
  const hosts = new Hosts();
  const sayFailed = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not read verified hosts", { error, unsaid }),
  );
  let awaited: Awaited = new Set();
  let reading: Promise<void> | undefined;
  let isStopped = false;

  const first = readAll(sql, hosts);
  onOrganization((orgId) => {
    awaited = mergeAwaited(awaited, orgId === undefined ? "all" : new Set([orgId]));
    reading ??= first.then(readAwaited, () => undefined);
    return reading;
  });
  await first;
  return {
    of: (hostname) => hosts.get(comparedHostname(hostname)),
    [Symbol.dispose]() {
      isStopped = true;
    },
  };

  /** Never rejects. */
  async function readAwaited(): Promise<void> {
    while (!isStopped && (awaited === "all" || awaited.size > 0)) {
      const asked = awaited;
      awaited = new Set();
      try {
        if (asked === "all") await readAll(sql, hosts);
        else for (const orgId of asked) await readOne(sql, hosts, orgId, asked);
      } catch (error) {
        awaited = mergeAwaited(asked, awaited);
        if (!isStopped) sayFailed(error);
        await Bun.sleep(RETRY_MS);
      }
    }
    reading = undefined;
  }
}

type Awaited = Set<string> | "all";

function mergeAwaited(one: Awaited, other: Awaited): Awaited {
  const organizations = one === "all" || other === "all" ? "all" : one.union(other);
  return organizations === "all" || organizations.size > AWAITED_MAX ? "all" : organizations;
}

/** Reads the hosts of one organization, and removes it from `asked` once that is done. */
async function readOne(sql: Sql, hosts: Hosts, orgId: string, asked: Set<string>): Promise<void> {
  const rows = await sql<Host[]>`${selectHosts(sql)} and org_id = ${orgId}`;
  hosts.replace(orgId, rows);
  asked.delete(orgId);
}

async function readAll(sql: Sql, hosts: Hosts): Promise<void> {
  const all: Host[] = [];
  for (let after = ""; ; after = all.at(-1)?.hostname ?? "") {
    const rows = await sql<Host[]>`${selectHosts(sql)} and hostname > ${after} order by hostname limit ${PAGE}`;
    all.push(...rows);
    if (rows.length < PAGE) return hosts.replaceAll(all);
  }
}

const selectHosts = (sql: Sql) => sql`
  select hostname, id as "domainId", org_id as "orgId", is_primary as "isPrimary",
    is_case_sensitive as "isCaseSensitive",
    coalesce(dashboard ->> 'enabled' = 'true', false) as "isDashboard", redirects,
    (select slug_key from links where id = (redirects -> 'root' ->> 'bioPageId')::uuid
      and domain_id = domains.id and deleted_at is null) as "rootSlug"
  from domains where is_verified and org_id is not null`;

/** Hosts by name, and their names by organization. */
class Hosts {
  #byName = new Map<string, Host>();
  #namesOf = new Map<string, string[]>();

  get(hostname: string): Host | undefined {
    return this.#byName.get(hostname);
  }

  /**
   * Replaces the hosts of an organization. A name that another organization has taken over meanwhile stays with the
   * one that was read last.
   */
  replace(orgId: string, hosts: readonly Host[]): void {
    for (const name of this.#namesOf.get(orgId) ?? []) {
      if (this.#byName.get(name)?.orgId === orgId) this.#byName.delete(name);
    }
    for (const host of hosts) this.#byName.set(host.hostname, host);
    if (hosts.length > 0)
      this.#namesOf.set(
        orgId,
        hosts.map(({ hostname }) => hostname),
      );
    else this.#namesOf.delete(orgId);
  }

  replaceAll(hosts: readonly Host[]): void {
    this.#byName = new Map();
    this.#namesOf = new Map();
    const grouped = Map.groupBy(hosts, ({ orgId }) => orgId);
    for (const [orgId, own] of grouped) this.replace(orgId, own);
  }
}
