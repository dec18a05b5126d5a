/**
 * Every verified custom host, in memory: who asks (whether to get a certificate, whether to trust an origin, whose files to
 * serve, where to send visitors without a link) is answered at once, and with Postgres away too.
 *
 * States: current → told of a change → reading → current. A change of an organization reads its hosts anew, a change of
 * nobody knows whom all of them; what is told while something is read is read after it. Whoever tells of a change gets a
 * promise that resolves once it is read. While reading fails the hosts stay as they were, and it is tried again every second. Bounds: the hosts that are verified, `AWAITED_MAX` organizations
 * awaited (more: all are read), `PAGE` rows a query, one query at a time. A crash loses nothing: all is read at start.
 */
import type { Sql } from "postgres";
import type { DomainRedirects } from "@/contract/domains";
import { comparedHostname } from "@/core/names/hostname";
import type { Log } from "../telemetry/log";
import { rarely } from "../telemetry/rarely";

const PAGE = 10_000;
const AWAITED_MAX = 1_000;
const RETRY_MS = 1_000;
const SAY_EVERY_MS = 10_000;

export interface Host {
  hostname: string;
  domainId: string;
  orgId: string;
  /** Whether the dashboard is served there. */
  isDashboard: boolean;
  isPrimary: boolean;
  /** Whether its slugs are told apart by case. */
  isCaseSensitive: boolean;
  redirects: DomainRedirects;
  /** Slug of the bio page at the root, as it is compared; null where there is none. */
  rootSlug: string | null;
}

export interface HostDirectory {
  /** The verified host of this name, in any case, with or without port. Asks nobody. */
  of(hostname: string): Host | undefined;
}

export interface HostsOptions {
  sql: Sql;
  /** Tells of changes: of one organization, or of any. */
  onOrganization(listener: (orgId?: string) => Promise<void>): void;
  log: Log;
}

/** Rejects when they cannot be read. */
export async function openHosts({ sql, onOrganization, log }: HostsOptions): Promise<HostDirectory & Disposable> {
  const hosts = new Hosts();
  const sayFailed = rarely(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not read verified hosts", { error, unsaid }),
  );
  let awaited: Awaited = new Set();
  let reading: Promise<void> | undefined;
  let isStopped = false;

  const first = readAll(sql, hosts);
  onOrganization((orgId) => {
    awaited = both(awaited, orgId === undefined ? "all" : new Set([orgId]));
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
        awaited = both(asked, awaited);
        if (!isStopped) sayFailed(error);
        await Bun.sleep(RETRY_MS);
      }
    }
    reading = undefined;
  }
}

type Awaited = Set<string> | "all";

function both(one: Awaited, other: Awaited): Awaited {
  const organizations = one === "all" || other === "all" ? "all" : one.union(other);
  return organizations === "all" || organizations.size > AWAITED_MAX ? "all" : organizations;
}

/** What has been read is taken off the list. */
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

/** By name, and by whose they are. */
class Hosts {
  #byName = new Map<string, Host>();
  #namesOf = new Map<string, string[]>();

  get(hostname: string): Host | undefined {
    return this.#byName.get(hostname);
  }

  /** A name that another has taken over meanwhile stays with whoever was read last. */
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
