/**
 * Checks the passwords of links. Hashes are slow by design, so the one that proved right is remembered per compiled
 * link, by its digest; a changed link is compiled anew and remembers nothing. Visitors who bring the same password at
 * once share one hash; what is under way is remembered no longer than that.
 *
 * Wrong tries are limited per link and address, per link from all addresses, and tries per address over all links. Past
 * any of them there is 429 before anything is compared, be it with the remembered password: to answer that one would go on
 * answering guesses. A try is counted before its hash begins and given back to the link's limits when it proves right or
 * another limit refuses it; what is remembered counts against nobody. Servers share the counts through Redis; one that has
 * not asked it since may answer one guess more. Whoever hangs up before the hash begins spares it.
 */

import { parameterOf, readQuery } from "@/core/query";
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { PasswordState } from "@/core/routing/gate";
import { limitedAddress } from "@/platform/limits/address";
import type { Limiter, Limits, LimitVerdict } from "@/platform/limits/limits";
import { verifyPassword } from "@/platform/passwords/passwords";

const WINDOW_MS = 60_000;
const WRONG_PER_LINK_AND_ADDRESS_MAX = 10;
const WRONG_PER_LINK_MAX = 100;
const TRIES_PER_ADDRESS_MAX = 60;
const PASSWORD_LENGTH_MAX = 128;

/** Too many tries were made: nothing was compared. */
export interface TriesSpent {
  retryAfterSeconds: number;
}

/** Rejects with `TooManyHashes` when too many hashes wait already, with `HashAbandoned` when the visitor hung up. */
export type CheckPassword = (
  link: CompiledLink,
  password: string | null,
  visitor: { address: string; signal: AbortSignal },
) => Promise<PasswordState | TriesSpent>;

interface Memory {
  /** Digest of the right one, once it was brought. */
  right?: string;
  /** By digest, what its comparison tells; undefined when it did not come to that. */
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

  /** All at once and before anything is awaited, so that tries made in parallel are all counted before one is answered. */
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

  /** Whatever does not prove wrong is no wrong try: the right password, and one too many hashes. */
  async #compare({ password, hash, linkId, visitor, visitorAtLink, signal }: Try): Promise<boolean> {
    let isWrong = false;
    try {
      isWrong =
        password.length > PASSWORD_LENGTH_MAX ||
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

/** A form of a password alone holds no more. */
export const PASSWORD_FORM_BYTES_MAX = 4096;

/** Where a visitor may have put it: the form, the header or the query, read as what is handed on is (`core/query`). */
export function passwordOf(request: Request, query: string, form: URLSearchParams | null): string | null {
  const header = request.headers.get("x-link-password");
  if (header !== null) return header;
  const pairs = readQuery(query);
  return form?.get("password") ?? parameterOf(pairs, "pw") ?? parameterOf(pairs, "password") ?? null;
}
