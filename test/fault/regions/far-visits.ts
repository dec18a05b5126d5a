/** Visits to the far server while links change at home: cold links, visited once each, and those that change. */
import type { Account, client } from "@test/support/service";
import type { Sql } from "postgres";
import type { Link } from "@/contract/links/links";

export const ONE_WAY_MS = 75;
export const REGIONS_DOMAIN = "regions.example.test";
export const REGIONS_HEADERS = {
  host: REGIONS_DOMAIN,
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
};

const COLD_LINKS = 8_000;
const COLD_EVERY_MS = 20;
const CHANGE_EVERY_MS = 250;
/** Milliseconds between visits that wait for a change, so that these do not slow down the cold visits. */
const ASKED_EVERY_MS = 5;

export type RegionsServer = ReturnType<typeof client>;

export interface RegionsScene {
  home: RegionsServer;
  far: RegionsServer;
  account: Account;
  sql: Sql;
  /** Visits that were redirected. */
  counted: { own: number };
}

export const makeObserved = ({ home, account }: RegionsScene): Promise<Link> =>
  home.createLink(account, { defaultUrl: "https://example.com/0" });

/** Creates cold links in the account's organization, so that their clicks are counted like all others. */
export async function makeColdLinks({ sql, account }: RegionsScene): Promise<void> {
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), ${account.orgId}, (select id from domains where org_id is null), slug, slug, 'https://example.com/0'
    from (select 'cold-' || number as slug from generate_series(0, ${COLD_LINKS - 1}) as number)`;
}

/** Visits cold links one after another, another one each time. */
export function coldVisits({ far, counted }: RegionsScene) {
  let next = 0;
  return {
    async during(ms: number) {
      const [times, endsAt] = [[] as number[], performance.now() + ms];
      let failed = 0;
      while (performance.now() < endsAt) {
        const askedAt = performance.now();
        const { status } = await far.visit(`/cold-${next++ % COLD_LINKS}`, REGIONS_HEADERS);
        times.push(performance.now() - askedAt);
        if (status === 302) counted.own++;
        else failed++;
        await Bun.sleep(Math.max(0, askedAt + COLD_EVERY_MS - performance.now()));
      }
      return { times, failed };
    },
  };
}

let version = 0;

async function change({ home, account }: RegionsScene, link: Link): Promise<number> {
  const path = `/api/v1/organizations/${account.orgId}/links/${link._id}`;
  const body = { defaultUrl: `https://example.com/${++version}` };
  const { status } = await home.call("PATCH", path, { token: account.token, body });
  if (status !== 200) throw new Error(`Changing a link returned ${status}`);
  return version;
}

async function versionAt({ far, counted }: RegionsScene, { slug }: Link): Promise<number> {
  const { status, headers } = await far.visit(`/${slug}`, REGIONS_HEADERS);
  if (status !== 302) throw new Error(`A visit of a changed link returned ${status}`);
  counted.own++;
  return Number(headers.get("location")?.split("/").at(-1));
}

/** Returns how long each change was not served, in milliseconds beyond the delay of the line. */
export async function changesSeen(scene: RegionsScene, observed: readonly Link[], ms: number): Promise<number[]> {
  const [late, endsAt] = [[] as number[], performance.now() + ms];
  for (let turn = 0; performance.now() < endsAt; turn++) {
    const link = observed[turn % observed.length];
    if (!link) throw new Error("There are links");
    const changed = await change(scene, link);
    const changedAt = performance.now();
    let begunAt = changedAt;
    while ((await versionAt(scene, link)) < changed) {
      await Bun.sleep(ASKED_EVERY_MS);
      begunAt = performance.now();
    }
    late.push(Math.max(0, begunAt - changedAt - ONE_WAY_MS));
    await Bun.sleep(Math.max(0, changedAt + CHANGE_EVERY_MS - performance.now()));
  }
  return late;
}

export async function changeUnseen(scene: RegionsScene, observed: readonly Link[], ms: number): Promise<void> {
  const endsAt = performance.now() + ms;
  for (let turn = 0; performance.now() < endsAt || turn < observed.length; turn++) {
    const link = observed[turn % observed.length];
    if (link) await change(scene, link);
    await Bun.sleep(CHANGE_EVERY_MS);
  }
}

export async function countStale(scene: RegionsScene, observed: readonly Link[]): Promise<number> {
  const rows = await scene.sql<{ slug: string; url: string }[]>`
    select slug, default_url as url from links where id in ${scene.sql(observed.map(({ _id }) => _id))}`;
  const wanted = new Map(rows.map(({ slug, url }) => [slug, Number(url.split("/").at(-1))]));
  let stale = 0;
  for (const link of observed) if ((await versionAt(scene, link)) !== wanted.get(link.slug)) stale++;
  return stale;
}
