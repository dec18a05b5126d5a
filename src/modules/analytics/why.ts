/** Explains why a click led where it did, by evaluating the rules again as the link was then. */
import type { ISql } from "postgres";
import type { ClickWhy } from "@/contract/analytics/clicks";
import type { NameFact } from "@/contract/facts";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import { compileServed, replay, type ServedClick, type ServedLink } from "@/core/routing/replay";
import type { Route } from "@/core/routing/route";
import { numberAt } from "@/core/rules/rule-numbers";
import { rulePlace } from "@/core/rules/rule-order";
import { MINUTE_MS } from "@/core/time/time-range";
import { visitorKeyText } from "@/platform/visitor";
import type { StoredClick } from "./stored-clicks";

interface Revision {
  version: number;
  isBioPage: boolean;
  snapshot: { defaultUrl?: string | null; rules?: RoutingRule[] | null; splitTargets?: SplitTarget[] | null };
}

export async function explainClick(sql: ISql, orgId: OrgId, click: StoredClick): Promise<ClickWhy> {
  const revision = await findRevision(sql, orgId, click);
  if (!revision) return GONE;
  const link = servedLink(click.linkId, revision);
  const isErased = isOfErasedVisitor(click);
  const replayed = replay(compileServed(link, click.offeredApps), { ...servedClick(click), isErased });
  const basis = click.linkVersion === null ? "time" : "version";
  const { version } = revision;
  if (!replayed) return { ...GONE, basis, version, text: "The page no longer has the chosen item", isSame: false };
  const { route, ruleTrace } = replayed;
  if (isErased && !isSame(route, click)) return { ...GONE, basis, version, text: ERASED };
  return {
    basis,
    version,
    text: textOf(route, link),
    isSame: isSame(route, click),
    route: {
      kind: route.kind,
      ruleIndex: route.ruleIndex,
      splitKey: route.splitKey,
      destinationUrl: route.target,
      ruleNumber: route.ruleIndex === null ? null : numberAt(link.rules, route.ruleIndex),
    },
    ruleTrace,
  };
}

const GONE: ClickWhy = {
  basis: "none",
  version: null,
  text: "The link's history does not reach back that far",
  isSame: null,
  route: null,
  ruleTrace: [],
};

const ERASED = "What the rules check was erased with the visitor's data";

/** Recognizes what `clicks/erase-visits` leaves of a click. Hardly any other click lacks all of this by chance. */
const isOfErasedVisitor = ({ at, deviceVendor, deviceModel, osVersion }: StoredClick): boolean =>
  at % MINUTE_MS === 0 && deviceVendor === null && deviceModel === null && osVersion === null;

/** Finds the revision that served the click. A version without a revision has the routing of the one before it. */
async function findRevision(sql: ISql, orgId: OrgId, { linkId, linkVersion, at }: StoredClick) {
  const [revision] = await sql<Revision[]>`
    select version, snapshot, (select kind = 'bio_page' from links where id = ${linkId}) is true as "isBioPage"
    from link_revisions
    where org_id = ${orgId} and link_id = ${linkId}
      and ${linkVersion === null ? sql`changed_at <= ${new Date(at)}` : sql`version <= ${linkVersion}`}
    order by version desc limit 1`;
  return revision;
}

export function servedLink(id: string, { isBioPage, snapshot }: Omit<Revision, "version">): ServedLink {
  const { defaultUrl, rules, splitTargets } = snapshot;
  return { id, isBioPage, defaultUrl: defaultUrl ?? "", rules: rules ?? [], splitTargets: splitTargets ?? [] };
}

export const visitorKeyOf = ({ visitor }: Pick<StoredClick, "visitor">): string => visitorKeyText(BigInt(visitor));

/** Stored fields needed to route a click again. */
export type KeptClick = Pick<
  StoredClick,
  | ("at" | "visitor" | "platform" | "osVersion" | "language" | "languages" | "linkVersion" | "utcOffset")
  | ("offeredApps" | "splitKey" | "referrer" | "asked" | NameFact)
>;

export const servedClick = (click: KeptClick): ServedClick => ({
  ...click,
  visitorKey: visitorKeyOf(click),
  languages: clickLanguages(click),
  utcOffset: click.utcOffset ?? 0,
});

/** Returns the visitor's languages. Older clicks stored only the first. */
export const clickLanguages = ({ languages, language, linkVersion }: KeptClick): string[] => {
  if (languages !== null) return languages.split(",");
  return linkVersion === null && language !== null ? [language] : [];
};

export const isSame = (route: Route, click: StoredClick): boolean =>
  route.kind === click.routeKind &&
  route.ruleIndex === click.ruleIndex &&
  route.splitKey === click.splitKey &&
  route.target === click.destinationUrl;

function textOf({ kind, ruleIndex, splitKey }: Route, { rules, isBioPage }: ServedLink): string {
  if (isBioPage) return "The visitor chose this item on the page";
  const unruled = rules.length === 0 ? "The link has no rules" : "No rule matches";
  switch (kind) {
    case "rule":
      return `Rule ${rulePlace(rules, ruleIndex ?? 0)} is the first whose conditions all match`;
    case "split":
      return `${unruled}; the split assigns this visitor to “${splitKey}”`;
    case "store":
      return `${unruled} and there is no split; the app store for the visitor's phone comes next`;
    case "default":
      return `${unruled}, and neither a split nor an app store applies, so the default destination is used`;
    default:
      return kind satisfies never;
  }
}
