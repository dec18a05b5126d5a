import { Elysia } from "elysia";
import { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/analytics/ai";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { AssistantService } from "./service";

export const aiRoutes = (assistant: AssistantService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/ai", tags: ["Marketing assistant"] })
    .use(guard)
    .post("/marketing-assistant", ({ tenant, body }) => assistant.ask(tenant, body), {
      member: { role: "viewer", scopes: ["analytics"] },
      body: MarketingAssistantInput,
      response: { 200: MarketingAssistantResponse, ...failures(400, 401, 403, 404, 413, 415, 429, 503) },
      detail: {
        operationId: "askMarketingAssistant",
        summary: "Ask the marketing assistant",
        description: DESCRIPTION,
      },
    });

const DESCRIPTION = `Changes nothing. The answer is based on the last 30 days and the 30 days before, without bots; the same figures give
the same answer. It starts with the same findings as \`analytics/insights\` (faults, and the winner of a split test) and
never contradicts them. The words of the goal decide what it optimizes for: awareness (clicks), installs, leads, sales
(custom events), or engagement and retention (app opens). A goal without any of these words counts as awareness, and a
warning says so. Below 100 clicks the answer does not compare channels or visitors. It calls one channel better or
worse than the others only where insights are certain, based on conversions that are measured, and it does not
recommend a channel without known conversions. It proposes up to three campaigns: the requested channel, then
channels the figures support, then channels typical for the goal. Each comes with the values of \`/links/utm/generate\`
and copy that names the product (the link's title, or the name used in \`productUrl\` and the goal).

If the operator has set up a language model, it words the summary, titles, rationales and copy (\`generatedBy: model\`).
It receives totals, the host name of a site that sends many visitors, and the words of the request, but no other
names, URLs or ids, and no recommendation that names a link. Its wording is used only if it contains no link and no
number that is missing from the evidence. Otherwise, or if the model fails, a warning says so and the service uses its
own wording (\`statistics\`). With a model, an organization can ask 20 times an hour.`;
