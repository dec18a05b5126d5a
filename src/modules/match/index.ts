import type { Guard } from "@/http/access";
import type { LinkSource } from "@/platform/link-cache/source";
import { type MatchRouteOptions, matchRoutes } from "./routes";
import { createMatchService, type MatchOptions } from "./service";

export interface MatchParts extends Omit<MatchOptions, "links">, Omit<MatchRouteOptions, "matches"> {
  linkSource: Pick<LinkSource, "byNumber">;
}

export const matchModule = ({ linkSource: links, ...parts }: MatchParts, guard: Guard) =>
  matchRoutes({ ...parts, matches: createMatchService({ ...parts, links }) }, guard);
