import { Elysia } from "elysia";
import { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/ai";
import type { access } from "@/http/access";
import { failures } from "@/http/openapi-responses";
import type { AssistantService } from "./service";

export const aiRoutes = (assistant: AssistantService, guard: ReturnType<typeof access>) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/ai", tags: ["Marketing assistant"] })
    .use(guard)
    .post("/marketing-assistant", ({ tenant, body }) => assistant.ask(tenant, body), {
      member: "viewer",
      body: MarketingAssistantInput,
      response: { 200: MarketingAssistantResponse, ...failures(400, 401, 403, 404, 413, 415, 429, 503) },
      detail: {
        operationId: "askMarketingAssistant",
        summary: "Ask the marketing assistant",
        description: DESCRIPTION,
      },
    });

const DESCRIPTION = `Writes nothing. The answer rests on the last 30 days and the 30 before, bots left out, and the same figures
have the same answer. The goal's words decide what it is judged by: awareness (clicks), installs, leads, sales (custom events),
engagement and retention (app opens); where none is known it counts as awareness, which a warning says. Below 100 clicks
nothing is said of channels and visitors; rates come from five conversions on with their 95 % interval (Wilson's of installs and
leads, that of a Poisson count of events and opens, of which one click may cause several), and one is called better than another
only where the intervals do not overlap. Campaigns are at most three: the channel asked for, then those that
the figures speak for, then those usual for the goal, each with the values of \`/links/utm/generate\`.

Where the operator has set a language model it words summary, titles, rationales and copy (\`generatedBy: model\`); it is told
sums, the host name of a site that sends many visitors and the words of the request, never other names, URLs or ids. What it
says is used only when it holds no link and no number that does not stand in the evidence; else, and when it fails, a warning
says so and the wording is ours (\`statistics\`). With a model an organization may ask 20 times an hour.`;
