/**
 * Finds what a batch collides with: links imported before, and addresses in use. Each is looked up separately, by the
 * index made for it, with a plan made anew for each batch. Statistics do not include links that have just been
 * imported, so Postgres would assume that the organization has few and scan all of them for each lookup. The query is
 * therefore written so that no index on an organization's links fits it.
 */
import type { OrgId } from "@/core/ids";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";

export interface ExistingLink {
  id: string;
  isOwn: boolean;
  slug: string;
  pathPrefix: string;
  importedSource: string | null;
  passwordHash: string | null;
  clicksBefore: number | null;
}

export interface ExternalIdHolder {
  id: string;
  externalId: string;
}

interface StandingRow {
  key: string;
  id: string;
  is_own: boolean;
  slug: string;
  path_prefix: string;
  imported_source: string | null;
  password_hash: string | null;
  clicks_before: number | null;
}

/** Returns the ids of live links by their id at the source. */
export async function importedLinks(
  tx: Pick<Tx, "execute">,
  orgId: OrgId,
  source: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await statementsOn(tx).run<{ id: string; imported_id: string }>(
    `select found.id, wanted.imported_id from json_array_elements_text($3::text::json) as wanted(imported_id)
     cross join lateral (select id from links
       where imported_id = wanted.imported_id and imported_source = $2 and (org_id = $1::uuid) is true and deleted_at is null
       limit 1) as found`,
    [orgId, source, JSON.stringify([...new Set(ids)])],
  );
  return new Map(rows.map(({ id, imported_id }) => [imported_id, id]));
}

/**
 * Returns the live links and bio pages at these addresses, which are written as `<domain id> <prefix key>/<slug key>`.
 */
export async function occupantsAt(
  tx: Pick<Tx, "execute">,
  orgId: OrgId,
  keys: readonly string[],
): Promise<Map<string, ExistingLink>> {
  if (keys.length === 0) return new Map();
  const wanted = keys.map((key) => {
    const [domainId = "", path = ""] = [key.slice(0, 36), key.slice(37)];
    const end = path.lastIndexOf("/");
    return { d: domainId, p: path.slice(0, end), s: path.slice(end + 1) };
  });
  const rows = await statementsOn(tx).run<StandingRow>(
    `select d || ' ' || p || '/' || s as key, standing.*
     from json_to_recordset($2::text::json) as wanted(d uuid, p text, s text)
     cross join lateral (select id, (org_id = $1 and kind = 'link') as is_own, slug, path_prefix, imported_source,
         password_hash, clicks_before::float8 as clicks_before from links
       where domain_id = d and prefix_key = p and slug_key = s and deleted_at is null limit 1) as standing`,
    [orgId, JSON.stringify(wanted)],
  );
  return new Map(
    rows.map(({ key, id, slug, ...row }) => [
      key,
      {
        ...{ id, slug, isOwn: row.is_own, pathPrefix: row.path_prefix },
        ...{ importedSource: row.imported_source, passwordHash: row.password_hash, clicksBefore: row.clicks_before },
      },
    ]),
  );
}

/** Returns which of these are what live addresses look like; each is written as `<domain id> <look-alike key>`. */
export async function looksTaken(tx: Pick<Tx, "execute">, looks: readonly string[]): Promise<Set<string>> {
  if (looks.length === 0) return new Set();
  const wanted = looks.map((look) => ({ d: look.slice(0, 36), l: look.slice(37) }));
  const rows = await statementsOn(tx).run<{ look: string }>(
    `select d || ' ' || l as look from json_to_recordset($1::text::json) as wanted(d uuid, l text)
     cross join lateral (select id from links
       where domain_id = d and look_alike_key = l and deleted_at is null limit 1) as standing`,
    [JSON.stringify(wanted)],
  );
  return new Set(rows.map(({ look }) => look));
}

/**
 * Returns which of these ids are links of the organization, deleted or not, in lower case: with the former clicks that
 * a deleted one has.
 */
export async function formerClicksOf(
  tx: Pick<Tx, "execute">,
  orgId: OrgId,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  if (ids.length === 0) return new Map();
  const rows = await statementsOn(tx).run<{ id: string; clicks_before: number | null }>(
    `select found.* from json_array_elements_text($2::text::json) as wanted(id)
     cross join lateral (select links.id, case when deleted_at is not null then clicks_before::float8 end as clicks_before
       from links where links.id = wanted.id::uuid and (org_id = $1::uuid) is true limit 1) as found`,
    [orgId, JSON.stringify([...new Set(ids)])],
  );
  return new Map(rows.map(({ id, clicks_before }) => [id, clicks_before]));
}

/** Returns the live links that have one of these external ids, and those of the given links that have any. */
export function externalIdHolders(
  tx: Pick<Tx, "execute">,
  orgId: OrgId,
  { ids, linkIds }: { ids: readonly string[]; linkIds: readonly string[] },
): Promise<ExternalIdHolder[]> {
  return statementsOn(tx).run<{ id: string; externalId: string }>(
    `select found.id, found.external_id as "externalId" from json_array_elements_text($2::text::json) as wanted(external_id)
     cross join lateral (select id, external_id from links
       where org_id = $1 and external_id = wanted.external_id and deleted_at is null limit 1) as found
     union all select found.id, found.external_id from json_array_elements_text($3::text::json) as wanted(id)
     cross join lateral (select id, external_id from links
       where id = wanted.id::uuid and (org_id = $1::uuid) is true and external_id is not null and deleted_at is null
       limit 1) as found`,
    [orgId, JSON.stringify([...new Set(ids)]), JSON.stringify(linkIds)],
  );
}
