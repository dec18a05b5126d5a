import { Elysia } from "elysia";
import { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/analytics/ai";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { AssistantService } from "./service";

export const aiRoutes = (assistant: AssistantService, guard: Guard) =>
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

const DESCRIPTION = `Writes nothing. The answer rests on the last 30 days and the 30 before, bots left out; the same figures give the
same answer. It begins with what \`analytics/insights\` begins with (faults, and a split test's winner) and never says other than
insights do. The goal's words decide what it is judged by: awareness (clicks), installs, leads, sales (custom events),
engagement and retention (app opens); a goal with none of these words counts as awareness, and a warning says so. Below 100
clicks nothing is said of channels and visitors. One channel is called better or worse than the others only where insights are
sure of it, by conversions that are measured; a channel of which no conversion is known is not recommended. Campaigns are at
most three: the channel asked for, then those that the figures speak for, then those usual for the goal, each with the values of
\`/links/utm/generate\` and copy that names the product (the link's title, or what \`productUrl\` and the goal call it).

Where the operator has set a language model it words summary, titles, rationales and copy (\`generatedBy: model\`); it is told
sums, the host name of a site that sends many visitors and the words of the request, never other names, URLs or ids, nor any
recommendation that names a link. What it says is used only when it holds no link and no number that does not stand in the
evidence; else, and when it fails, a warning says so and the wording is ours (\`statistics\`). With a model an organization may
ask 20 times an hour.`;
