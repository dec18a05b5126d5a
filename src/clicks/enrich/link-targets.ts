/**
 * Destinations, numbers of rules and UTM of a click's link at the version that was served. They come from the latest revision up to
 * that version (a change of safety creates a version without a revision) or, if there is none, from the current link.
 * Keeps 32,768 versions, with the app's stores as they were when first requested. Links that do not exist are not
 * cached: another lookup is rare, and the link may have been restored by then.
 */
import type { Sql } from "postgres";
import type { Platform } from "@/contract/platforms";
import type { Utm } from "@/contract/routing";
import { appOf, storeUrls } from "@/core/routing/store";
import { numberAt } from "@/core/rules/rule-numbers";
import { createBoundedMap } from "@/platform/bounded-map";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Copies, Copy } from "@/platform/db/copies";
import type { LinkSource } from "@/platform/link-cache/source";
import type { ClickRecord } from "../record";
import { countedUtm } from "./source";

export interface LinkTargets {
  orgId: string;
  domainId?: string;
  defaultUrl: string;
  /** In the order of the link's rules. */
  rules: readonly { destinationUrl: string; number?: number }[];
  splitTargets: readonly { key: string; destinationUrl: string }[];
  utm: Utm;
  /** Absent until a visit without recorded apps led to a store. */
  stores?: ReturnType<typeof storeUrls>;
}

const VERSIONS_MAX = 32_768;

export class LinkTargetCache implements Copy {
  readonly #sql: () => Sql;
  readonly #known = createBoundedMap<string, LinkTargets>(VERSIONS_MAX);

  /** Calls `sql` for each use, because connections are replaced. */
  constructor(sql: () => Sql, copies: Copies) {
    this.#sql = sql;
    copies.add(this);
  }

  /** In another history of the database, the same version of a link may be different. */
  forget(): void {
    this.#known.clear();
  }

  /** Returns the link of each record; undefined if it does not exist. */
  async load(records: readonly ClickRecord[]): Promise<(LinkTargets | undefined)[]> {
    const keys = records.map(versionKey);
    const targets = keys.map((key) => this.#known.get(key));
    const missing = new Map<string, ClickRecord>();
    records.forEach((record, place) => {
      if (!targets[place]) missing.set(keys[place] ?? "", record);
    });
    if (missing.size > 0) {
      const found = await this.#loadMissing(missing);
      keys.forEach((key, place) => {
        targets[place] ??= found.get(key);
      });
    }
    await this.#loadStores(records, targets);
    return targets;
  }

  async #loadMissing(missing: Map<string, ClickRecord>): Promise<Map<string, LinkTargets>> {
    const found = new Map<string, LinkTargets>();
    for (const { link_id, version, org_id, snapshot } of await this.#revisions([...missing.values()])) {
      this.#keep(found, `${link_id}:${version}`, targetsOf(org_id, snapshot));
    }
    const leftOver = [...missing].filter(([key]) => !found.has(key));
    if (leftOver.length === 0) return found;
    const links = new Map((await this.#links(leftOver.map(([, { linkId }]) => linkId))).map((link) => [link.id, link]));
    for (const [key, { linkId }] of leftOver) {
      const link = links.get(linkId);
      if (link) this.#keep(found, key, targetsOf(link.orgId, link));
    }
    return found;
  }

  #keep(found: Map<string, LinkTargets>, key: string, targets: LinkTargets): void {
    found.set(key, targets);
    this.#known.set(key, targets);
  }

  #revisions(records: readonly ClickRecord[]) {
    return this.#sql().unsafe<{ link_id: string; version: number; org_id: string; snapshot: Snapshot }[]>(
      `select served.link_id, served.version, latest.org_id, latest.snapshot
       from unnest($1::text::uuid[], $2::text::int[]) as served (link_id, version)
       cross join lateral (
         select org_id, snapshot from link_revisions
         where link_id = served.link_id and version <= served.version order by version desc limit 1
       ) as latest`,
      [arrayLiteral(records.map(({ linkId }) => linkId)), arrayLiteral(records.map(({ linkVersion }) => linkVersion))],
      { prepare: true },
    );
  }

  #links(ids: readonly string[]) {
    return this.#sql().unsafe<(Snapshot & { id: string; orgId: string })[]>(
      `select id, org_id as "orgId", domain_id as "domainId", default_url as "defaultUrl", rules, split_targets as "splitTargets", utm
       from links join unnest($1::text::uuid[]) as wanted (id) using (id)`,
      [arrayLiteral([...new Set(ids)])],
      { prepare: true },
    );
  }

  /** Loads the stores for clicks of a release that did not record the apps: one query per link. */
  async #loadStores(records: readonly ClickRecord[], found: readonly (LinkTargets | undefined)[]): Promise<void> {
    const needy = new Map<LinkTargets, string>();
    records.forEach((record, place) => {
      const isNeedy = record.route === "store" && record.offeredApps === undefined;
      const targets = isNeedy ? found[place] : undefined;
      if (targets && !targets.stores) needy.set(targets, record.linkId);
    });
    if (needy.size === 0) return;
    const source = await openLinkSource(this.#sql());
    for (const [targets, linkId] of needy) {
      const link = await source.byId(linkId);
      targets.stores = storeUrls(link?.definition.app ?? null, []);
    }
  }
}

/** Imported only for those old clicks, because it loads all of Drizzle, which the worker does not need otherwise. */
async function openLinkSource(sql: Sql): Promise<LinkSource> {
  const [{ drizzle }, { createLinkSource }] = await Promise.all([
    import("drizzle-orm/postgres-js"),
    import("@/platform/link-cache/source"),
  ]);
  return createLinkSource(drizzle(sql), () => "");
}

const versionKey = ({ linkId, linkVersion }: ClickRecord): string => `${linkId}:${linkVersion}`;

/** Returns the destination as configured; empty if the link's history does not contain it. */
export function destinationOf(targets: LinkTargets, record: ClickRecord, platform: Platform): string {
  const { route, ruleIndex, splitKey } = record;
  switch (route) {
    case "rule":
      return targets.rules[ruleIndex ?? -1]?.destinationUrl ?? "";
    case "split":
      return targets.splitTargets.find(({ key }) => key === splitKey)?.destinationUrl ?? "";
    case "store":
      return storeAt(storesOf(targets, record), platform);
    case "default":
      return targets.defaultUrl;
    default:
      return route satisfies never;
  }
}

/** Returns the number of the rule that decided, by which its clicks are counted. */
export const ruleNumberOf = ({ rules }: LinkTargets, { ruleIndex }: ClickRecord): number | null =>
  ruleIndex === null ? null : numberAt(rules, ruleIndex);

const storesOf = ({ stores }: LinkTargets, { offeredApps }: ClickRecord): LinkTargets["stores"] =>
  offeredApps === undefined ? stores : storeUrls(appOf(offeredApps), []);

const storeAt = (stores: LinkTargets["stores"], platform: Platform): string =>
  (platform === "ios" ? stores?.ios : stores?.android) ?? "";

/** The fields of a link that matter here, as in its row and in its revisions' snapshots. */
interface Snapshot {
  domainId?: string | null;
  defaultUrl?: string | null;
  rules?: LinkTargets["rules"] | null;
  splitTargets?: LinkTargets["splitTargets"] | null;
  utm?: Utm | null;
}

const targetsOf = (orgId: string, { domainId, defaultUrl, rules, splitTargets, utm }: Snapshot): LinkTargets => ({
  orgId,
  domainId: domainId ?? undefined,
  defaultUrl: defaultUrl ?? "",
  rules: rules ?? [],
  splitTargets: splitTargets ?? [],
  utm: countedUtm(utm ?? {}),
});
