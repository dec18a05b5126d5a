/**
 * The marketing assistant. Its answer is computed from figures. If a language model is configured, the model words
 * the answer; if the model fails, the computed wording is used. `READING_MAX` questions read figures at the same time
 * and `WAITING_MAX` wait for their turn, at most `OF_ONE_MAX` of one organization in total; beyond that, the response
 * is 503. Nothing is stored.
 */
import type { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/analytics/ai";
import type { Link } from "@/contract/links/links";
import { type Draft, draftAnswer, presentDraft } from "@/core/assistant/answer";
import type { GenerateUtm } from "@/core/assistant/campaigns";
import { phrase } from "@/core/assistant/phrasing";
import { promptOf } from "@/core/assistant/prompt";
import type { Tenant } from "@/core/ids";
import { normaliseDestination } from "@/core/routing/destination";
import { HOUR_MS } from "@/core/time/time-range";
import { HttpError, invalid, notFoundInField, tooMany, unavailable } from "@/http/errors";
import type { LinkService } from "@/modules/links/service";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { limitFairly } from "@/platform/concurrency";
import { readsFiguresOf } from "@/platform/db/connection/request-queue";
import { type LanguageModel, LanguageModelError } from "@/platform/language-model";
import type { Limits } from "@/platform/limits/limits";
import { OutboundError } from "@/platform/outbound/outbound";
import type { Log } from "@/platform/telemetry/log";
import { type AssistantSources, readFigures } from "./figures";

/**
 * Each reads with two statements at a time. They count as reads of figures in `RequestQueue`, and a question only once it
 * reads: what is asked before its turn must not wait for those that read.
 */
const READING_MAX = 3;
const WAITING_MAX = 64;
const OF_ONE_MAX = 32;
/** Questions of one organization per hour with a model, since each has the cost of a model request. */
const MODEL_QUESTIONS_MAX = 20;
const NOT_WORDED = "The language model gave no usable answer; this text was written from the figures alone";

export interface AssistantOptions extends AssistantSources {
  links: Pick<LinkService, "get">;
  organizations: Pick<OrganizationService, "get">;
  generateUtm: GenerateUtm;
  /** Null without `AI_BASE_URL`. */
  model: LanguageModel | null;
  limits: Limits;
  clock: Clock;
  log: Log;
}

export type AssistantService = ReturnType<typeof createAssistantService>;

export function createAssistantService(options: AssistantOptions) {
  const { links, organizations, generateUtm, model, limits, clock, log } = options;
  const questions = limits.limiter({ name: "assistant", windowMs: HOUR_MS });
  const limited = limitFairly({
    runningMax: READING_MAX,
    waitingMax: WAITING_MAX,
    ofOneMax: OF_ONE_MAX,
    refusal: () => unavailable("The assistant is busy; try again shortly"),
  });

  return {
    /**
     * Throws 400 for a blank goal or an invalid product URL, 404 for an unknown link, 429 after too many questions
     * per hour if there is a model, 503 if too many questions arrive at the same time.
     */
    async ask(tenant: Tenant, input: MarketingAssistantInput): Promise<MarketingAssistantResponse> {
      const productUrl = checkedInput(input);
      const link = input.linkId === undefined ? null : await namedLink(links, tenant, input.linkId);
      const answer = () => drafted(tenant, input, link, productUrl);
      const draft = model ? await worded(tenant, await counted(tenant, answer), model) : await answer();
      return presentDraft(draft, clock());
    },
  };

  async function drafted(
    tenant: Tenant,
    input: MarketingAssistantInput,
    link: Link | null,
    productUrl: string | null,
  ): Promise<Draft> {
    const { name: organization, branding } = await organizations.get(tenant);
    const now = clock();
    const figures = await limited(tenant.orgId, () => {
      readsFiguresOf(tenant.orgId);
      return readFigures(options, tenant.orgId, link, now);
    });
    const names = [branding.displayName, organization];
    const destination = productUrl ?? link?.defaultUrl ?? null;
    const about = { names, title: link?.title, productUrl, destination };
    return draftAnswer({ input, figures, ...about, now }, generateUtm);
  }

  /** Counts a question that the model is to be asked. One that fails before is not counted: it costs no request. */
  async function counted({ orgId }: Tenant, answer: () => Promise<Draft>): Promise<Draft> {
    const { ok, retryAfterSeconds } = await questions.take(orgId, MODEL_QUESTIONS_MAX);
    if (!ok) throw tooMany("This organization has asked the assistant too often; try again later", retryAfterSeconds);
    try {
      return await answer();
    } catch (error) {
      questions.giveBack(orgId);
      throw error;
    }
  }

  /** Never rejects because of a fault of the model. */
  async function worded({ orgId }: Tenant, draft: Draft, asked: LanguageModel): Promise<Draft> {
    const refuse = (fault: unknown): Draft => {
      log.warn("language model failed; using built-in wording", { orgId, error: fault });
      return { ...draft, warnings: [NOT_WORDED, ...draft.warnings] };
    };
    try {
      const phrased = phrase(draft, await asked.answer(promptOf(draft)));
      return phrased.ok ? phrased.draft : refuse(phrased.fault);
    } catch (error) {
      if (error instanceof LanguageModelError || error instanceof OutboundError) return refuse(error);
      throw error;
    }
  }
}

async function namedLink(links: AssistantOptions["links"], tenant: Tenant, linkId: string): Promise<Link> {
  try {
    return await links.get(tenant, linkId.toLowerCase());
  } catch (error) {
    throw error instanceof HttpError && error.status === 404 ? notFoundInField("linkId", "link") : error;
  }
}

/** Returns the normalized product URL, or null if there is none. Throws 400 with every fault. */
function checkedInput({ goal, productUrl = "" }: MarketingAssistantInput): string | null {
  const product = productUrl.trim() === "" ? null : normaliseDestination(productUrl);
  const faults = [
    ...(goal.trim() === "" ? ["goal: must not be blank"] : []),
    ...(product && !product.ok ? [`productUrl: ${product.fault}`] : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  return product?.ok ? product.url : null;
}
