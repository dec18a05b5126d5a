import { Elysia } from "elysia";
import { UtmGenerationInput, UtmGenerationResponse } from "@/contract/links/utm";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { UtmGenerator } from "./utm";

export const utmRoutes = (generate: UtmGenerator, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .post("/utm/generate", ({ body }) => generate(body), {
      member: "viewer",
      body: UtmGenerationInput,
      response: { 200: UtmGenerationResponse, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "generateUtm",
        summary: "Propose UTM values for a campaign",
        description:
          "Writes nothing. What is given for a value stands; else an alias stands for it (`platform` for the source, " +
          "`channel` for the medium, `campaignName`, `keyword`, `creative` with `variant`); else it is inferred, the " +
          "medium from a known source, the campaign from the title. All become lower-case slugs. Of the confidence, a " +
          "source earns 30 points, medium and campaign 25 each, 5 less by an alias and 10 less when inferred, term and " +
          "content 5 each, a destination 10; 5 are lost for a medium of no default channel of Google Analytics 4 and for " +
          "each value that the destination has its own for.",
      },
    });
