import { Elysia } from "elysia";
import { UtmGenerationInput, UtmGenerationResponse } from "@/contract/links/utm";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { UtmGenerator } from "./utm";

export const utmRoutes = (generate: UtmGenerator, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .post("/utm/generate", ({ body }) => generate(body), {
      member: { role: "viewer", scopes: ["read", "links"] },
      body: UtmGenerationInput,
      response: { 200: UtmGenerationResponse, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "generateUtm",
        summary: "Generate UTM values for a campaign",
        description:
          "Changes nothing. A given value is used as is; otherwise an alias supplies it (`platform` for source, `channel` " +
          "for medium, and `campaignName`, `keyword`, or `creative` with `variant`); otherwise it is inferred: the medium " +
          "from a known source, the campaign from the title. All values become lower-case slugs. Confidence adds 30 points " +
          "for the source, 25 each for medium and campaign (5 less if from an alias, 10 less if inferred), 5 each for term " +
          "and content, and 10 for a destination; it loses 5 for a medium outside Google Analytics 4's default channels and " +
          "5 for each value that the destination already sets.",
      },
    });
