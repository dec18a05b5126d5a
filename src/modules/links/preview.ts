/** `POST links/preview`: what a visitor would get, and why; fetches nothing, records nothing. */
import type { LinkPreview, LinkPreviewInput } from "@/contract/links/link-preview";
import type { Tenant } from "@/core/ids";
import { withoutOwn } from "@/core/query";
import { DIRECT, referrerOf, statedReferrer } from "@/core/referrer";
import { type CompiledLink, compileLink, finalDestination, type SplitPick } from "@/core/routing/compiled-link";
import { localTime, NOTHING_KNOWN, parseAcceptLanguage, type VisitorFacts, withStated } from "@/core/routing/facts";
import { blockers, checkGate, type GateVisit, type PasswordState } from "@/core/routing/gate";
import { onwardUrl } from "@/core/routing/onward";
import { storeSkipped } from "@/core/routing/store-skipped";
import { networksOf } from "@/core/rules/asks";
import { traceRules } from "@/core/rules/trace";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { invalid, notFound } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { LinkSource } from "@/platform/link-cache/source";
import { type HashPlace, verifyPassword } from "@/platform/passwords/passwords";
import { createNamedLink } from "./named-link";
import { presentLink } from "./present";
import * as store from "./store";

export interface PreviewOptions {
  db: Db;
  clock: Clock;
  source: LinkSource;
  shortUrlOf: ShortUrlOf;
  shortDomain: string;
  random(): number;
}

export type LinkPreviewer = ReturnType<typeof createLinkPreview>;

export function createLinkPreview({ db, clock, source, shortUrlOf, shortDomain, random }: PreviewOptions) {
  const find = createNamedLink({ db, source, shortDomain });
  /** Throws 400 without an identifier, 404 for an unknown link. */
  return async (tenant: Tenant, input: LinkPreviewInput): Promise<LinkPreview> => {
    const record = await find(tenant, input);
    const sourced = record && (await source.byId(record.link.id));
    if (!record || !sourced) throw notFound("link");
    const link = compileLink(sourced.definition);
    const now = input.now ? instantOf(input.now) : clock();
    const facts = factsOf(link, input, now);
    const route = link.route(facts, pickOf(input));
    const visit = await gateVisit(db, tenant, link, input, now);
    const blocked = blockers(link.definition.gate, visit);
    return {
      ok: blocked.length === 0,
      blockers: blocked,
      context: contextOf(facts, input),
      link: presentLink(record, shortUrlOf),
      route: {
        kind: route.kind,
        ruleIndex: route.ruleIndex,
        splitKey: route.splitKey,
        destinationUrl: finalDestination(link, route, { query: input.query ?? "" }),
        storeSkipped: storeSkipped({
          link: link.definition,
          namesProfile: record.link.appProfileId !== null,
          isOnSharedDomain: record.domain.orgId === null,
          facts,
          route,
        }),
      },
      ruleTrace: traceRules(link, facts),
      blockedUrl: blockedUrl(link, visit),
      safety: record.link.safety,
      deepLinkPayload: link.definition.deepLinkPayload ?? {},
    };
  };

  /** The simulated visitor's sticky key, or a draw. Without an id every preview is the same, nameless visitor. */
  function pickOf({ randomizeVisitor, visitorId }: LinkPreviewInput): SplitPick {
    return randomizeVisitor ? { draw: random } : { visitorKey: () => visitorId ?? "" };
  }
}

function blockedUrl({ definition }: CompiledLink, visit: GateVisit): string | null {
  const answer = checkGate(definition.gate, visit);
  return answer.does === "refuse" ? onwardUrl(answer.refusal.status, definition) : null;
}

async function gateVisit(
  db: Db,
  { orgId, signal }: Tenant,
  link: CompiledLink,
  input: LinkPreviewInput,
  now: number,
): Promise<GateVisit> {
  const { id, gate } = link.definition;
  const admitted = gate.maxClicks === null ? undefined : await store.countAdmitted(db, id);
  return {
    now,
    admitted,
    password: await passwordState(gate.passwordHash, input.password, { purpose: "links", asker: orgId, signal }),
  };
}

async function passwordState(
  hash: string | null,
  password: string | undefined,
  place: HashPlace,
): Promise<PasswordState> {
  if (hash === null || !password) return "absent";
  return (await verifyPassword(password, hash, place)) ? "correct" : "incorrect";
}

function factsOf({ asks }: CompiledLink, input: LinkPreviewInput, now: number): VisitorFacts {
  const languages = input.language ? parseAcceptLanguage(input.language) : [];
  const local = localTime(now, { offsetMinutes: input.timezoneOffsetMinutes ?? 0 });
  const request = {
    at: now,
    query: withoutOwn(input.query ?? ""),
    referrer: referrerOf(statedReferrer(input.referrer)) || DIRECT,
    networks: asks && input.address ? networksOf(asks, input.address) : undefined,
  };
  return withStated({ ...NOTHING_KNOWN, languages, ...local, ...request }, input);
}

function contextOf({ at, networks: _, ...facts }: VisitorFacts, { address, visitorId }: LinkPreviewInput) {
  return { ...facts, address, now: new Date(at ?? 0).toISOString(), visitorId };
}

function instantOf(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw invalid([`now: ${NO_INSTANT}`]);
  return at;
}
