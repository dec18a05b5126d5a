import type { Config } from "@/config";
import type { Guard } from "@/http/access";
import { createLanguageModel } from "@/platform/language-model";
import type { Outbound } from "@/platform/outbound/outbound";
import { aiRoutes } from "./routes";
import { type AssistantOptions, createAssistantService } from "./service";

export interface AssistantParts extends Omit<AssistantOptions, "model"> {
  config: Pick<Config, "ai">;
  outbound: Outbound;
  ending: AbortSignal;
}

export function assistantModule({ config: { ai }, outbound, ending, ...parts }: AssistantParts, guard: Guard) {
  const model = ai && createLanguageModel({ ai, outbound, ending, clock: parts.clock });
  return aiRoutes(createAssistantService({ ...parts, model }), guard);
}
