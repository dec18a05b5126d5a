/** `POST links/preview`: shows what a visitor would get, and why. Fetches nothing and records nothing. */
import type { LinkPreview, LinkPreviewInput, PreviewOutcome } from "@/contract/links/link-preview";
import type { Tenant } from "@/core/ids";
import { passwordIn, withoutOwnParameters } from "@/core/query";
import { DIRECT, referrerFromInput, referrerOf } from "@/core/referrer";
import { type CompiledLink, compileLink, finalDestination, type SplitPick } from "@/core/routing/compiled-link";
import {
  localTime,
  overrideFacts,
  parseAcceptLanguage,
  UNKNOWN_VISITOR_FACTS,
  type VisitorFacts,
} from "@/core/routing/facts";
import { blockers, checkGate, type GateVisit, type PasswordState } from "@/core/routing/gate";
import { onwardUrl } from "@/core/routing/onward";
import { storeSkipped } from "@/core/routing/store-skipped";
import { networksOf, queryAsSent } from "@/core/rules/request-checks";
import { traceRules } from "@/core/rules/trace";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { awaitAllFaults, withFaultPrefix } from "@/http/body/combined-faults";
import { invalid, notFound } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { LinkSource } from "@/platform/link-cache/source";
import { type HashPlace, verifyPassword } from "@/platform/passwords/passwords";
import { presentLink } from "../present";
import * as store from "../store";
import { createNamedLink } from "./named-link";
import type { UnsavedLink } from "./unsaved";

export interface PreviewOptions {
  db: Db;
  clock: Clock;
  source: LinkSource;
  shortUrlOf: ShortUrlOf;
  shortDomain: string;
  unsaved: UnsavedLink;
  random(): number;
}

export type LinkPreviewer = ReturnType<typeof createLinkPreview>;

/** The link to preview, saved or not. */
interface Subject {
  record: store.LinkRecord;
  link: CompiledLink;
}

type Described = Omit<LinkPreviewInput, "contexts" | "link">;

export function createLinkPreview(options: PreviewOptions) {
  const { db, clock, source, shortUrlOf, unsaved, random } = options;
  const find = createNamedLink(options);
  /** Throws 400 if the link is not named or its fields are invalid, and 404 for an unknown link. */
  return async (tenant: Tenant, input: LinkPreviewInput): Promise<LinkPreview> => {
    const { contexts, link: _, ...described } = { ...input, query: input.query ?? queryOf(input.shortUrl) };
    const at = clock();
    const subject = await subjectOf(tenant, input, at);
    const { record, link } = subject;
    const knownOf = await gateFacts(db, tenant, subject);
    const outcomeFor = async (visitor: Described) => outcomeOf(subject, await knownOf(visitor), visitor, at);
    const outcome = await outcomeFor(described);
    const others = contexts?.map((context, index) =>
      withFaultPrefix(`contexts[${index}]`, () => outcomeFor({ ...described, ...context })),
    );
    return {
      ...outcome,
      link: presentLink(record, shortUrlOf),
      safety: record.link.safety,
      deepLinkPayload: link.definition.deepLinkPayload ?? {},
      contexts: others && (await awaitAllFaults(others)),
    };
  };

  async function subjectOf(tenant: Tenant, input: LinkPreviewInput, now: number): Promise<Subject> {
    const isNamed = input.link === undefined || input.shortUrl !== undefined || input.slug !== undefined;
    const saved = isNamed ? await find(tenant, input) : undefined;
    if (isNamed && !saved) throw notFound("link");
    if (input.link) {
      const record = await unsaved(tenant, input.link, saved, now);
      return { record, link: compileLink(await source.ofRow(record.link)) };
    }
    const sourced = saved && (await source.byId(saved.link.id));
    if (!saved || !sourced) throw notFound("link");
    return { record: saved, link: compileLink(sourced.definition) };
  }

  function outcomeOf({ record, link }: Subject, known: GateFacts, visitor: Described, at: number): PreviewOutcome {
    const now = visitor.now ? instantOf(visitor.now) : at;
    const facts = factsOf(link, visitor, now);
    const route = link.route(facts, pickOf(visitor));
    const visit = { ...known, now };
    const blocked = blockers(link.definition.gate, visit);
    return {
      ok: blocked.length === 0,
      blockers: blocked,
      context: contextOf(facts, visitor),
      route: {
        kind: route.kind,
        ruleIndex: route.ruleIndex,
        splitKey: route.splitKey,
        destinationUrl: finalDestination(link, route, { query: visitor.query ?? "" }),
        storeSkipped: storeSkipped({
          link: link.definition,
          namesProfile: record.link.appProfileId !== null,
          isOnSharedDomain: record.domain.orgId === null,
          facts,
          route,
        }),
      },
      ruleTrace: traceRules(link, facts),
      blockedUrl: blockedUrl(link, record.domain, visit),
    };
  }

  /** Picks at random, or by the visitor's sticky key. Without an id, all previews are of the same anonymous visitor. */
  function pickOf({ randomizeVisitor, visitorId }: Described): SplitPick {
    return randomizeVisitor ? { draw: random } : { visitorKey: () => visitorId ?? "" };
  }
}

function blockedUrl(
  { definition }: CompiledLink,
  { isVerified, redirects }: store.LinkRecord["domain"],
  visit: GateVisit,
): string | null {
  const answer = checkGate(definition.gate, visit);
  return answer.does === "refuse" ? onwardUrl(answer.refusal.status, definition, isVerified ? redirects : {}) : null;
}

type GateFacts = Omit<GateVisit, "now">;

/**
 * Returns a function that returns what the gate needs of a visitor. Visitors of one preview share the comparisons of a
 * password, which takes long on purpose.
 */
async function gateFacts(db: Db, { orgId, signal }: Tenant, { record, link }: Subject) {
  const { maxClicks, passwordHash } = link.definition.gate;
  const admitted = maxClicks === null ? undefined : await store.countAdmitted(db, record.link.id);
  const states = new Map<string, Promise<PasswordState>>();
  return async ({ password, query = "" }: Described): Promise<GateFacts> => {
    const entered = password || (passwordIn(query) ?? "");
    const place = { purpose: "links", asker: orgId, signal } as const;
    const state = states.get(entered) ?? passwordState(passwordHash, entered, place);
    states.set(entered, state);
    return { admitted, password: await state };
  };
}

async function passwordState(hash: string | null, password: string, place: HashPlace): Promise<PasswordState> {
  if (hash === null || password === "") return "absent";
  return (await verifyPassword(password, hash, place)) ? "correct" : "incorrect";
}

/** Returns the query of a short URL, without `?`. */
const queryOf = (shortUrl = ""): string | undefined => /^[^?#]*\?([^#]*)/.exec(shortUrl)?.[1];

function factsOf({ requestChecks }: CompiledLink, input: Described, now: number): VisitorFacts {
  const languages = input.language ? parseAcceptLanguage(input.language) : [];
  const local = localTime(now, { offsetMinutes: input.timezoneOffsetMinutes ?? 0 });
  const request = {
    at: now,
    query: requestChecks ? queryAsSent(requestChecks, input.query ?? "") : "",
    referrer: referrerOf(referrerFromInput(input.referrer)) || DIRECT,
    networks: requestChecks && input.address ? networksOf(requestChecks, input.address) : undefined,
  };
  return overrideFacts({ ...UNKNOWN_VISITOR_FACTS, languages, ...local, ...request }, input);
}

function contextOf({ at, networks: _, ...facts }: VisitorFacts, { query = "", address, visitorId }: Described) {
  return { ...facts, query: withoutOwnParameters(query), address, now: new Date(at ?? 0).toISOString(), visitorId };
}

function instantOf(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw invalid([`now: ${NO_INSTANT}`]);
  return at;
}
