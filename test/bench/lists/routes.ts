/**
 * The requests to measure for each list: the first page, a deep page, and every filter with common and rare values.
 */
import { BUSY_ACTOR, BUSY_TAG, type Made, RARE_TAG, type Sizes } from "./data";

export interface Asked {
  name: string;
  path: string;
  /** Target for the 95th percentile in milliseconds; NaN if there is none. */
  wantedMs: number;
}

const DEEP = 4_000;
const DAY_MS = 86_400_000;

export function listRoutes(orgId: string, made: Made, sizes: Sizes): Asked[] {
  const base = `/api/v1/organizations/${orgId}`;
  const asked = (wantedMs: number) => (name: string, path: string) => ({ name, path: base + path, wantedMs });
  const deep = (rows: number) => Math.min(DEEP, Math.floor(rows / 25));
  return [
    ...linkRoutes(deep(sizes.links), deep((sizes.links * 3) / 5)),
    ...auditRoutes(deep(sizes.audits)).map(([name, query]) => asked(40)(`audit logs ${name}`, `/audit-logs?${query}`)),
    ...[
      [`leads page 1`, `/links/${made.leadLinkId}/leads`],
      [`leads page ${deep(sizes.leads)}`, `/links/${made.leadLinkId}/leads?page=${deep(sizes.leads)}`],
      ["deliveries page 1", `/webhooks/${made.webhookId}/deliveries`],
      ["deliveries page 1, failed", `/webhooks/${made.webhookId}/deliveries?status=failed`],
      [
        `deliveries page ${deep(sizes.deliveries)}`,
        `/webhooks/${made.webhookId}/deliveries?page=${deep(sizes.deliveries)}`,
      ],
      ...["members", "api-keys", "bio-pages", "analytics/reports", `links/${made.revisedLinkId}/revisions`].flatMap(
        (name) => [
          [`${name.replace(/\/.*\//, " · ")} page 1`, `/${name}`],
          [`${name.replace(/\/.*\//, " · ")} page ${deep(sizes.others)}`, `/${name}?page=${deep(sizes.others)}`],
        ],
      ),
    ].map(([name = "", path = ""]) => asked(60)(name, path)),
  ];

  function linkRoutes(deepest: number, deepestByTag: number): Asked[] {
    return [
      asked(40)("links page 1", "/links"),
      asked(60)(`links page ${deepest}`, `/links?page=${deepest}`),
      asked(60)("links page 1 by a busy tag", `/links?tag=${BUSY_TAG}`),
      asked(60)(`links page ${deepestByTag} by a busy tag`, `/links?tag=${BUSY_TAG}&page=${deepestByTag}`),
      asked(60)("links by a rare tag", `/links?tag=${RARE_TAG}`),
      ...[
        ["one link", "coffee-199"],
        ["some links", "music bicycle"],
        ["many links", "summer"],
        ["all links", "shop.example.com"],
        ["no link", "nobodyhasthis"],
        ["no link but neighbours'", "example.org"],
        ["one letter of many", "s"],
        ["two letters of many", "co"],
        ["two digits of some", "19"],
        ["two letters of none", "qq"],
        ["letters beyond ASCII", "ニュース"],
      ].map(([name, text]) => asked(60)(`links search, ${name}`, `/links?search=${encodeURIComponent(text ?? "")}`)),
      asked(60)("links search, busy tag", `/links?search=music&tag=${BUSY_TAG}`),
    ];
  }
}

function auditRoutes(deepest: number): [name: string, query: string][] {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString();
  return [
    ["page 1", ""],
    [`page ${deepest}`, `page=${deepest}`],
    ["busy action", "action=link.update"],
    ["rare action", "action=api_key.delete"],
    ["unknown action", "action=link.burn"],
    ["busy type", "resourceType=link"],
    ["rare type", "resourceType=api_key"],
    ["busy person", `teamEmail=${BUSY_ACTOR}`],
    ["rare person", "teamEmail=member-17@example.com"],
    ["unknown person", "teamEmail=nobody@example.com"],
    ["one day", `from=${day(2)}&to=${day(1)}`],
    ["one day, busy action", `from=${day(2)}&to=${day(1)}&action=link.update`],
    ["busy person and action", `teamEmail=${BUSY_ACTOR}&action=link.update`],
    ["busy person, rare action", `teamEmail=${BUSY_ACTOR}&action=api_key.delete`],
    ["busy person and type", `teamEmail=${BUSY_ACTOR}&resourceType=link`],
    ["rare person, busy action", "teamEmail=member-17@example.com&action=link.update"],
    ["action and type", "action=link.update&resourceType=link"],
    ["all filters", `teamEmail=${BUSY_ACTOR}&action=link.update&resourceType=link&from=${day(2)}&to=${day(1)}`],
  ];
}
