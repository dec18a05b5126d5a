/**
 * Answers as the marketing assistant. The answer is computed from figures; where a language model is set it words that
 * answer, and where it fails, the answer stands as it was computed. `READING_MAX` questions read figures at once and
 * `WAITING_MAX` wait for their turn, of one organization `OF_ONE_MAX` in all; past them there is 503. Nothing is kept.
 */
import type { MarketingAssistantInput, MarketingAssistantResponse } from "@/contract/analytics/ai";
import type { Link } from "@/contract/links/links";
import { type Draft, draftAnswer, presentDraft } from "@/core/assistant/answer";
import type { GenerateUtm } from "@/core/assistant/campaigns";
import { phrase } from "@/core/assistant/phrasing";
import { promptOf } from "@/core/assistant/prompt";
import type { Tenant } from "@/core/ids";
import { normaliseDestination } from "@/core/routing/destination";
import { invalid, tooMany, unavailable } from "@/http/errors";
import type { LinkService } from "@/modules/links/service";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { limitFairly } from "@/platform/concurrency";
import { type LanguageModel, LanguageModelError } from "@/platform/language-model";
import type { Limits } from "@/platform/limits/limits";
import { OutboundError } from "@/platform/outbound/outbound";
import type { Log } from "@/platform/telemetry/log";
import { type AssistantSources, readFigures } from "./figures";

const READING_MAX = 4;
const WAITING_MAX = 64;
const OF_ONE_MAX = 32;
/** Of one organization, where each question costs what the model costs. */
const MODEL_QUESTIONS_MAX = 20;
const HOUR_MS = 3_600_000;
const NOT_WORDED = "The language model gave no usable answer; this text was written from the figures alone";

export interface AssistantOptions extends AssistantSources {
  links: Pick<LinkService, "get">;
  organizations: Pick<OrganizationService, "get">;
  generateUtm: GenerateUtm;
  /** This is null without `AI_BASE_URL`. */
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
     * Throws 400 for a blank goal and a product URL that is none, 404 for a link that is not there, 429 past so many
     * questions an hour where a model is asked, 503 when too much is asked at once.
     */
    async ask(tenant: Tenant, input: MarketingAssistantInput): Promise<MarketingAssistantResponse> {
      const productUrl = checkedInput(input);
      const link = input.linkId === undefined ? null : await links.get(tenant, input.linkId);
      if (model) await countQuestion(tenant);
      const draft = await drafted(tenant, input, link, productUrl);
      return presentDraft(model ? await worded(tenant, draft, model) : draft, clock());
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
    const figures = await limited(tenant.orgId, () => readFigures(options, tenant.orgId, link, now));
    const names = [branding.displayName, organization];
    const destination = productUrl ?? link?.defaultUrl ?? null;
    const about = { names, title: link?.title, productUrl, destination };
    return draftAnswer({ input, figures, ...about, now }, generateUtm);
  }

  async function countQuestion({ orgId }: Tenant): Promise<void> {
    const { ok, retryAfterSeconds } = await questions.take(orgId, MODEL_QUESTIONS_MAX);
    if (!ok) throw tooMany("This organization has asked the assistant too often; try again later", retryAfterSeconds);
  }

  /** Never rejects for what the model does. */
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

/** The product URL normalised, null where there is none. Throws 400 with every fault. */
function checkedInput({ goal, productUrl = "" }: MarketingAssistantInput): string | null {
  const product = productUrl.trim() === "" ? null : normaliseDestination(productUrl);
  const faults = [
    ...(goal.trim() === "" ? ["goal: must not be blank"] : []),
    ...(product && !product.ok ? [`productUrl: ${product.fault}`] : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  return product?.ok ? product.url : null;
}
