/** Deferred deep links: an app's first start finds out which link it was installed for. */
import { Elysia } from "elysia";
import { InstallAttributionInput, MatchInput, MatchResponse } from "@/contract/match";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import { limitByAddress } from "@/http/rate-limit";
import type { Limits } from "@/platform/limits/limits";
import type { Claimant, MatchService } from "./service";

export interface MatchRouteOptions {
  matches: MatchService;
  limits: Limits;
  callerOf: CallerOf;
}

const response = { 200: MatchResponse, ...failures(400, 413, 415, 429, 503) };
const ONCE =
  "A token is claimed once, whichever way; the same claim again within a minute has the same answer. Whatever matches nothing (unknown, forged, too old, spent) is answered `{matched: false}`. A claim counts as an install and an open; as a bot's, told to no webhook, where the click behind it was a bot's, or where claims of a link come from one address as thick as no people's do. At most 60 a minute from one address.";

export const matchRoutes = ({ matches, limits, callerOf }: MatchRouteOptions, guard: Guard) => {
  const limit = limitByAddress(limits, "match", callerOf);
  const claimant = (request: Request): Claimant => ({
    address: callerOf(request).ip ?? "",
    userAgent: request.headers.get("user-agent") ?? "",
  });

  return new Elysia({ prefix: "/api/v1/match", tags: ["Deep links"] })
    .use(guard)
    .post(
      "",
      async ({ body, request }) => {
        await limit(request);
        return matches.match(body.matchToken, claimant(request));
      },
      {
        public: true,
        body: MatchInput,
        response,
        detail: {
          operationId: "claimMatch",
          summary: "Claim a deferred match",
          description: `With the token that the redirect to the store carried, within seven days of it. ${ONCE}`,
        },
      },
    )
    .post(
      "/install-attribution",
      async ({ body, request }) => {
        await limit(request);
        return matches.attribute(body, claimant(request));
      },
      {
        public: true,
        body: InstallAttributionInput,
        response,
        detail: {
          operationId: "claimInstallAttribution",
          summary: "Claim an install attribution",
          description: `With exactly one of \`installAttributionToken\`, \`campaignToken\` and \`ct\`, within 90 days of the redirect. ${ONCE}`,
        },
      },
    );
};
