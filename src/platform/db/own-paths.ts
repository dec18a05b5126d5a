/** Rows of `links` whose address begins with a path of the service's own. */
import { and, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { OWN_SEGMENTS } from "@/core/names/reserved";
import { links } from "./schema";

const { prefixKey, slugKey } = links;
const words = [...OWN_SEGMENTS];

/** In two parts, so that the index of addresses answers for links without a prefix, which most are. */
const beginsFolded = or(
  and(eq(prefixKey, ""), inArray(slugKey, words)),
  and(ne(prefixKey, ""), inArray(sql`split_part(${prefixKey}, '/', 1)`, words)),
);

/** Where keys tell case, all of a domain's have to be looked at. */
const beginsInAnyCase = inArray(sql`lower(split_part(ltrim(${prefixKey} || '/' || ${slugKey}, '/'), '/', 1))`, words);

/** For links of domains that are alike in whether they tell case. */
export const beginsWithOwnPath = (isCaseSensitive: boolean): SQL | undefined =>
  isCaseSensitive ? beginsInAnyCase : beginsFolded;
