import { Elysia } from "elysia";
import { CustomEvent, CustomEventInput } from "@/contract/events";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import type { EventService } from "./service";

const soundInput = (events: EventService) =>
  onValidFields(CustomEventInput, ({ tenant }, sound) => events.check(tenant, sound));

export const eventRoutes = (events: EventService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/events", tags: ["Server API"] })
    .use(guard)
    .post("", async ({ tenant, body, once, status }) => status(201, await events.create(tenant, body, once)), {
      apiKey: "events:write",
      repeatable: "plain",
      body: CustomEventInput,
      alsoChecked: soundInput(events),
      response: { 201: CustomEvent, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "createCustomEvent",
        summary: "Record a custom event",
        description: "Counts immediately: in the overview's funnel, and with its value under its name.",
      },
    });
