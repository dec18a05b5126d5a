/** Deferred deep links: on its first start, an app learns which link it was installed for. */
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
  "A token can be claimed once, by either operation; repeating the same claim within a minute returns the same " +
  "response. Tokens that match nothing (unknown, forged, expired, used) return `{matched: false}`. A claim counts " +
  "as an install and an open. It counts as a bot's, and triggers no webhook, if the click behind it was a bot's or " +
  "if claims for a link come from one address more often than people could make them. Limit: 60 a minute per " +
  "address.";

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
          description: `Use the token that the redirect to the store carried, within seven days. ${ONCE}`,
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
          description: `Send exactly one of \`installAttributionToken\`, \`campaignToken\` and \`ct\`, within 90 days of the redirect. ${ONCE}`,
        },
      },
    );
};
