/**
 * Claims match tokens. A token proves itself by its signature. Postgres ensures that it is claimed only once: a claim
 * inserts a row into `claims`, and only one transaction can. The same transaction counts the open and thereby the
 * install, so a crash leaves either all of it or nothing.
 *
 * A claim that does not count as a person's (`verdict`) gets the usual response but triggers no webhook.
 *
 * A second claim waits for the first and is treated as a repeat of it. A link that was deleted or changed after the
 * click still matches, since the visitor installed the app for it; an unsafe link does not match.
 */
import type { InstallAttributionInput, MatchResponse, Provider } from "@/contract/match";
import type { Platform } from "@/contract/platforms";
import type { LinkDefinition } from "@/core/routing/link";
import { clickOfToken, readToken, type TokenFields } from "@/core/tokens";
import type { FiguresInTurn } from "@/http/figure-turns";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { type Statements, statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { Keys } from "@/platform/keys";
import type { LinkSource } from "@/platform/link-cache/source";
import { matchSignature } from "@/platform/match-signature";
import { type VisitorSecret, visitorKey, visitorNumber } from "@/platform/visitor";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { matchEventData, platformOf, presentMatch } from "./present";
import { readAttribution } from "./read-attribution";
import * as store from "./store";
import { ATTRIBUTION_VALID_MS, MATCH_VALID_MS } from "./validity";
import { type ClaimVerdict, createVerdict, type JudgeClaim, type VerdictOptions } from "./verdict";

export interface MatchOptions {
  db: Drizzle;
  clock: Clock;
  keys: Keys;
  links: Pick<LinkSource, "byNumber">;
  visitorSecret: VisitorSecret;
  /**
   * Counts the open that a claim stands for: `record` runs within the claim's transaction, `prepare` before it.
   * `record` returns how the open counts, null for nowhere.
   */
  countOpen(open: ClaimedOpen): {
    prepare(statements: Statements): Promise<void>;
    record(tx: Statements): Promise<"human" | "bot" | null>;
  };
  figuresInTurn: FiguresInTurn;
  announce: Announce;
  isRepeated: VerdictOptions["isRepeated"];
}

interface ClaimedOpen {
  id: string;
  /** Unix milliseconds. */
  at: number;
  orgId: string;
  linkId: string;
  visitor: bigint;
  platform: Platform;
  isBot: boolean;
  click: { id: string; occurredAt: Date } | null;
}

/** The client that makes the claim. */
export interface Claimant {
  address: string;
  userAgent: string;
}

/**
 * Returns what can be claimed only once: the click, whatever outcome its token states. A form that is sent again from
 * another device has another outcome but is still the same visit. A token that names no click is claimed itself.
 */
function claimedOf(token: string, fields: TokenFields): string {
  return clickOfToken(fields) ? `${fields.linkNumber} ${fields.mintedAt} ${fields.nonce}` : token;
}

const hashOf = (text: string): Uint8Array => new Bun.CryptoHasher("sha256").update(text).digest();

interface Claim {
  token: string;
  /** How long the token is valid from the minute of the click. */
  validMs: number;
  /** Set for an install attribution, null for a match. */
  provider: Provider | null;
  claimant: Claimant;
}

interface Proven extends Claim {
  tokenHash: Uint8Array;
  fields: TokenFields;
  link: LinkDefinition;
}

export interface MatchService {
  match(matchToken: string, claimant: Claimant): Promise<MatchResponse>;
  /** Throws 400 unless exactly one token is given. */
  attribute(input: InstallAttributionInput, claimant: Claimant): Promise<MatchResponse>;
}

const REPLAY_MS = 60_000;
const UNMATCHED: MatchResponse = Object.freeze({ matched: false });

export function createMatchService(options: MatchOptions): MatchService {
  const { db, clock, keys, links, countOpen, figuresInTurn, announce } = options;
  const judgeClaim = createVerdict(options);
  const [current, previous] = [keys.current("match-token"), keys.previous("match-token")];
  const signatures = [current, ...(previous ? [previous] : [])].map(matchSignature);

  return {
    match: (token, claimant) => claimOnce({ token, validMs: MATCH_VALID_MS, provider: null, claimant }),
    attribute: async (input, claimant) =>
      claimOnce({ ...readAttribution(input), validMs: ATTRIBUTION_VALID_MS, claimant }),
  };

  async function claimOnce(claim: Claim): Promise<MatchResponse> {
    const fields = read(signatures, claim.token);
    if (!fields) return UNMATCHED;
    const tokenHash = hashOf(claimedOf(claim.token, fields));
    // Earlier releases stored the hash of the token itself.
    const known = await store.findClaim(db, tokenHash, hashOf(claim.token));
    if (known) return repeated(known, claim);
    if (clock() - fields.mintedAt > claim.validMs) return UNMATCHED;
    const link = (await links.byNumber(fields.linkNumber))?.definition;
    if (!link || link.gate.isUnsafe) return UNMATCHED;
    return settle({ ...claim, tokenHash, fields, link });
  }

  async function settle(proven: Proven): Promise<MatchResponse> {
    const { tokenHash, fields, link, provider } = proven;
    const open = await openOf(options, judgeClaim, proven);
    const ids = { installId: Bun.randomUUIDv7(), openId: open.id };
    const answer = presentMatch(ids, link, provider);
    const claim: store.NewClaim = {
      ...{ tokenHash, ...ids, provider, orgId: link.orgId, linkId: link.id, clickId: open.click?.id ?? null },
      isBot: open.isBot,
      ...{ awaitedAt: open.awaited && new Date(open.awaited.at), awaitedEnd: open.awaited?.idEnd ?? null },
      answer,
      clickedAt: new Date(fields.mintedAt),
      claimedAt: new Date(open.at),
    };
    const count = countOpen(open);
    await count.prepare(statementsOn(db));
    const insert = async (tx: Tx): Promise<MatchResponse> => {
      // What is stored once the organization is deleted would stay.
      if (!(await store.holdOrganization(tx, link.orgId))) return UNMATCHED;
      if (await store.insertClaim(tx, claim)) {
        if ((await count.record(statementsOn(tx))) !== "human") return answer;
        const sent = { orgId: link.orgId, at: open.at, data: matchEventData(ids, answer, link, open.platform) };
        await announce(statementsOn(tx), { event: "link.matched", ...sent }, { event: "link.opened", ...sent });
        return answer;
      }
      const first = await store.findClaim(tx, tokenHash);
      return first ? repeated(first, proven) : UNMATCHED;
    };
    return figuresInTurn(link.orgId, insert);
  }

  /** Returns the first response again if the same operation is repeated within a minute, or else no match. */
  function repeated(known: store.Claim, claim: Claim): MatchResponse {
    const isSame = (known.provider === null) === (claim.provider === null);
    const isRecent = clock() - known.claimedAt.getTime() <= REPLAY_MS;
    return isSame && isRecent ? { matched: true, ...known.answer } : UNMATCHED;
  }
}

async function openOf(
  { clock, visitorSecret }: MatchOptions,
  judgeClaim: JudgeClaim,
  { fields, link, provider, claimant }: Proven,
): Promise<ClaimedOpen & ClaimVerdict> {
  const [at, { id: linkId, orgId }] = [clock(), link];
  const visitor = visitorKey(visitorSecret, { orgId, at, ...claimant });
  const id = Bun.randomUUIDv7();
  return {
    id,
    at,
    orgId,
    linkId,
    visitor: visitorNumber(visitor),
    platform: platformOf(claimant.userAgent, provider, link),
    ...(await judgeClaim({ fields, link, at, id, visitor })),
  };
}

function read(signatures: ReturnType<typeof matchSignature>[], text: string): TokenFields | null {
  for (const sign of signatures) {
    const fields = readToken(text, sign);
    if (fields) return fields;
  }
  return null;
}
