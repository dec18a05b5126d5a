/** Finds rows of `links` whose address begins with one of the service's own paths. */
import { and, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { OWN_SEGMENTS } from "@/core/names/reserved";
import { links } from "./schema";

const { prefixKey, slugKey } = links;
const words = [...OWN_SEGMENTS];

/** In two parts, so that the index of addresses can be used for links without a prefix, which most are. */
const beginsFolded = or(
  and(eq(prefixKey, ""), inArray(slugKey, words)),
  and(ne(prefixKey, ""), inArray(sql`split_part(${prefixKey}, '/', 1)`, words)),
);

/** If keys are case-sensitive, all links of a domain have to be read. */
const beginsInAnyCase = inArray(sql`lower(split_part(ltrim(${prefixKey} || '/' || ${slugKey}, '/'), '/', 1))`, words);

/** For links of domains that are either all case-sensitive or all not. */
export const beginsWithOwnPath = (isCaseSensitive: boolean): SQL | undefined =>
  isCaseSensitive ? beginsInAnyCase : beginsFolded;
