/**
 * Weighted rendezvous hashing: each target scores the visitor independently of the others, and the lowest score wins.
 * So a visitor always gets the same target, and removing a target moves only its own visitors. The score
 * −ln(u)/weight is exponentially distributed with rate `weight`, so a target with twice the weight wins twice as
 * often.
 *
 * The hash is part of the product: changing it moves every visitor of every running split.
 */
import type { SplitTarget } from "@/contract/routing";

/** How a split chooses. The visitor key is lazy because it costs an HMAC, and most visits never reach a split. */
export type SplitPick = { visitorKey: () => string } | { draw: () => number };

export interface SplitCandidate<Choice> {
  choice: Choice;
  weight: number;
  seedHigh: number;
  seedLow: number;
}

/** False for targets that are switched off or have weight 0: they are never chosen. */
export function isCandidate(target: SplitTarget): boolean {
  return target.isActive !== false && weightOf(target) > 0;
}

export function candidate<Choice>(linkId: string, target: SplitTarget, choice: Choice): SplitCandidate<Choice> {
  const [seedHigh, seedLow] = hash(`${linkId}\0${target.key}`);
  return { choice, weight: weightOf(target), seedHigh, seedLow };
}

/** Returns undefined if there are no candidates. */
export function choose<Choice>(candidates: readonly SplitCandidate<Choice>[], pick: SplitPick): Choice | undefined {
  if (candidates.length <= 1) return candidates[0]?.choice;
  return "draw" in pick ? chooseAtRandom(candidates, pick.draw()) : chooseByVisitor(candidates, pick.visitorKey());
}

const weightOf = (target: SplitTarget) => target.weight ?? 1;

function chooseByVisitor<Choice>(
  candidates: readonly SplitCandidate<Choice>[],
  visitorKey: string,
): Choice | undefined {
  const [high, low] = hash(visitorKey);
  let best: SplitCandidate<Choice> | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const score = -Math.log(uniform(candidate, high, low)) / candidate.weight;
    if (score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best?.choice;
}

/** `draw` is in [0, 1). */
function chooseAtRandom<Choice>(candidates: readonly SplitCandidate<Choice>[], draw: number): Choice | undefined {
  let rest = draw * candidates.reduce((sum, { weight }) => sum + weight, 0);
  for (const { choice, weight } of candidates) {
    rest -= weight;
    if (rest < 0) return choice;
  }
  return candidates.at(-1)?.choice;
}

/** Returns a number in (0, 1) with 52 random bits, determined by target and visitor. */
function uniform({ seedHigh, seedLow }: SplitCandidate<unknown>, high: number, low: number): number {
  const first = mix(seedHigh ^ high);
  const second = mix(seedLow ^ low ^ first);
  return ((first >>> 6) * 0x4000000 + (second >>> 6) + 0.5) / 0x10000000000000;
}

/** Runs two lanes of FNV-1a over UTF-16 units and combines them at the end. Not suitable for secrets. */
function hash(text: string): [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return [mix(high), mix(low ^ high)];
}

/** The finalizer of MurmurHash3 (32 bits): every input bit affects every output bit. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
