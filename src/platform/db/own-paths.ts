/** Rows of `links` whose address begins with a path of the service's own. */
import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { OWN_SEGMENTS } from "@/core/names/reserved";
import { links } from "./schema";

const { prefixKey, slugKey } = links;
const words = [...OWN_SEGMENTS];

/** In two parts, so that the index of addresses answers for links without a prefix, which most are. */
export const beginsWithOwnPath = or(
  and(eq(prefixKey, ""), inArray(slugKey, words)),
  and(ne(prefixKey, ""), inArray(sql`split_part(${prefixKey}, '/', 1)`, words)),
);
