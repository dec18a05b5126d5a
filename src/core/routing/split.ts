/**
 * Weighted rendezvous hashing: each target scores a visitor on its own, and the best score wins. So the same visitor gets
 * the same target, and removing a target moves only its own visitors. A target with twice the weight wins twice as often:
 * the score −ln(u)/weight is exponentially distributed with that rate, and the least one wins.
 *
 * The hash is part of the product: changing it moves every visitor of every running split.
 */
import type { SplitTarget } from "@/contract/routing";

/** Says how a split chooses. It is lazy, since a visitor key costs an HMAC and most visits never reach a split. */
export type SplitPick = { visitorKey: () => string } | { draw: () => number };

export interface SplitCandidate<Choice> {
  choice: Choice;
  weight: number;
  seedHigh: number;
  seedLow: number;
}

/** Targets that are switched off or weigh nothing are never chosen. */
export function isCandidate(target: SplitTarget): boolean {
  return target.isActive !== false && weightOf(target) > 0;
}

export function candidate<Choice>(linkId: string, target: SplitTarget, choice: Choice): SplitCandidate<Choice> {
  const [seedHigh, seedLow] = hash(`${linkId}\0${target.key}`);
  return { choice, weight: weightOf(target), seedHigh, seedLow };
}

/** Undefined when there is nothing to choose from. */
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

/** `draw` is from [0, 1). */
function chooseAtRandom<Choice>(candidates: readonly SplitCandidate<Choice>[], draw: number): Choice | undefined {
  let rest = draw * candidates.reduce((sum, { weight }) => sum + weight, 0);
  for (const { choice, weight } of candidates) {
    rest -= weight;
    if (rest < 0) return choice;
  }
  return candidates.at(-1)?.choice;
}

/** Returns a number from (0, 1) with 52 bits, by target and visitor. */
function uniform({ seedHigh, seedLow }: SplitCandidate<unknown>, high: number, low: number): number {
  const first = mix(seedHigh ^ high);
  const second = mix(seedLow ^ low ^ first);
  return ((first >>> 6) * 0x4000000 + (second >>> 6) + 0.5) / 0x10000000000000;
}

/** Runs two lanes of FNV-1a over UTF-16 units and crosses them at the end. It is not for secrets. */
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

/** The finaliser of MurmurHash3 (32 bits): every bit of the input moves every bit of the output. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
