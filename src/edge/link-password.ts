/**
 * Checks the passwords of links. Hashes are slow by design, so the correct password is remembered for each compiled
 * link, by its digest; a changed link is compiled again and starts with nothing. Concurrent visitors with the same
 * password share one hash, and running checks are remembered only while they run.
 *
 * Limits: wrong attempts per link and address, wrong attempts per link from all addresses, and attempts per address
 * over all links. Past any of them, the response is 429 before anything is compared, even with the remembered
 * password: an exception for that one would confirm correct guesses. An attempt is counted before its hash begins.
 * The link's limits get it back if it is correct or another limit refuses it; a match with the remembered password is
 * not counted. Servers share the counts through Redis; a server that has not synchronized since may allow one guess
 * more. If a visitor disconnects before the hash begins, it is skipped.
 */

import { hasLength } from "@/contract/schema";
import { isAscii } from "@/core/names/fold";
import { PASSWORD_FIELD, passwordIn } from "@/core/query";
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { PasswordState } from "@/core/routing/gate";
import { limitedAddress } from "@/platform/limits/address";
import type { Limiter, Limits, LimitVerdict } from "@/platform/limits/limits";
import { verifyPassword } from "@/platform/passwords/passwords";

const WINDOW_MS = 60_000;
const WRONG_PER_LINK_AND_ADDRESS_MAX = 10;
const WRONG_PER_LINK_MAX = 100;
const TRIES_PER_ADDRESS_MAX = 60;
/** In characters, like the limit of a link's password. */
const PASSWORD_LENGTH_MAX = 128;

/** Too many attempts were made, so nothing was compared. */
export interface TriesSpent {
  retryAfterSeconds: number;
}

/**
 * Rejects with `TooManyHashes` if too many hashes are waiting, and with `HashAbandoned` if the visitor disconnected.
 */
export type CheckPassword = (
  link: CompiledLink,
  password: string | null,
  visitor: { address: string; signal: AbortSignal },
) => Promise<PasswordState | TriesSpent>;

interface Memory {
  /** Digest of the correct password, once it has been entered. */
  right?: string;
  /** Running comparisons by digest. They resolve to undefined if nothing was compared. */
  underWay: Map<string, Promise<boolean | undefined>>;
}

interface Try {
  password: string;
  hash: string;
  digest: string;
  linkId: string;
  visitor: string;
  visitorAtLink: string;
  signal: AbortSignal;
}

export function createPasswordCheck(limits: Limits): CheckPassword {
  const passwords = new LinkPasswords(limits);
  return (link, password, visitor) => passwords.check(link, password, visitor);
}

class LinkPasswords {
  readonly #memories = new WeakMap<CompiledLink, Memory>();
  readonly #perLink: Limiter;
  readonly #perLinkAndAddress: Limiter;
  readonly #perAddress: Limiter;

  constructor(limits: Limits) {
    this.#perLink = limits.limiter({ name: "link-password-all", windowMs: WINDOW_MS });
    this.#perLinkAndAddress = limits.limiter({ name: "link-password", windowMs: WINDOW_MS });
    this.#perAddress = limits.limiter({ name: "link-passwords", windowMs: WINDOW_MS });
  }

  async check(...[link, password, { address, signal }]: Parameters<CheckPassword>): ReturnType<CheckPassword> {
    const { id, gate } = link.definition;
    const hash = gate.passwordHash;
    if (hash === null || password === null || password === "") return "absent";
    const visitor = limitedAddress(address);
    const visitorAtLink = `${id}:${visitor}`;
    const spent = triesSpent([
      this.#perLinkAndAddress.peek(visitorAtLink, WRONG_PER_LINK_AND_ADDRESS_MAX),
      this.#perLink.peek(id, WRONG_PER_LINK_MAX),
      this.#perAddress.peek(visitor, TRIES_PER_ADDRESS_MAX),
    ]);
    if (spent) return spent;
    const digest = new Bun.CryptoHasher("sha256").update(password).digest("base64");
    const memory: Memory = this.#memories.get(link) ?? { underWay: new Map() };
    this.#memories.set(link, memory);
    if (memory.right === digest) return "correct";
    return this.#attempt(memory, { password, hash, digest, linkId: id, visitor, visitorAtLink, signal });
  }

  async #attempt(memory: Memory, made: Try): Promise<PasswordState | TriesSpent> {
    for (;;) {
      const same = memory.underWay.get(made.digest);
      if (!same) return this.#compareFirst(memory, made);
      const isRight = await same;
      if (isRight) return "correct";
      // The password is wrong without being hashed, but counts like any other wrong attempt.
      if (isRight === false) return (await this.#count(made)) ?? "incorrect";
    }
  }

  async #compareFirst(memory: Memory, made: Try): Promise<PasswordState | TriesSpent> {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    memory.underWay.set(made.digest, promise);
    let isRight: boolean | undefined;
    try {
      const spent = await this.#count(made);
      if (spent) return spent;
      isRight = await this.#compare(made);
      if (isRight) memory.right = made.digest;
      return isRight ? "correct" : "incorrect";
    } finally {
      memory.underWay.delete(made.digest);
      resolve(isRight);
    }
  }

  /**
   * Counts an attempt, before anything is awaited, so that parallel attempts are all counted before one of them gets
   * a result.
   */
  async #count({ linkId, visitor, visitorAtLink }: Try): Promise<TriesSpent | undefined> {
    const [ofVisitor, ofAll, ofAddress] = await Promise.all([
      this.#perLinkAndAddress.take(visitorAtLink, WRONG_PER_LINK_AND_ADDRESS_MAX),
      this.#perLink.take(linkId, WRONG_PER_LINK_MAX),
      this.#perAddress.take(visitor, TRIES_PER_ADDRESS_MAX),
    ]);
    const spent = triesSpent([ofVisitor, ofAll, ofAddress]);
    if (spent && ofVisitor.ok) this.#perLinkAndAddress.giveBack(visitorAtLink);
    if (spent && ofAll.ok) this.#perLink.giveBack(linkId);
    return spent;
  }

  /**
   * Compares the password. Anything that does not prove wrong is given back to the link's limits: the correct
   * password, and an attempt that got no hash.
   */
  async #compare({ password, hash, linkId, visitor, visitorAtLink, signal }: Try): Promise<boolean> {
    let isWrong = false;
    try {
      isWrong =
        !hasLength(password.normalize("NFC"), 0, PASSWORD_LENGTH_MAX) ||
        !(await verifyPassword(password, hash, { purpose: "visit", asker: visitor, signal }));
      return !isWrong;
    } finally {
      if (!isWrong) {
        this.#perLinkAndAddress.giveBack(visitorAtLink);
        this.#perLink.giveBack(linkId);
      }
    }
  }
}

function triesSpent(verdicts: LimitVerdict[]): TriesSpent | undefined {
  const refusals = verdicts.filter(({ ok }) => !ok);
  if (refusals.length === 0) return undefined;
  return { retryAfterSeconds: Math.max(...refusals.map(({ retryAfterSeconds }) => retryAfterSeconds)) };
}

/**
 * Returns the password from the header, the form or the query, in this order. The query is read like the one that is
 * passed on (`core/query`).
 */
export function passwordOf(request: Request, query: string, form: URLSearchParams | null): string | null {
  const header = request.headers.get("x-link-password");
  if (header !== null) return fromBytes(header);
  return form?.get(PASSWORD_FIELD) ?? passwordIn(query) ?? null;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a header as UTF-8, as most programs write it. The runtime reads each byte as a character of Latin-1, which is
 * what browsers' `fetch` writes; hardly any such text is valid UTF-8.
 */
function fromBytes(header: string): string {
  if (isAscii(header)) return header;
  try {
    return UTF_8.decode(Buffer.from(header, "latin1"));
  } catch (error) {
    if (error instanceof TypeError) return header;
    throw error;
  }
}
