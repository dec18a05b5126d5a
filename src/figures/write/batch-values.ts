/**
 * The values by which the visits of a batch are counted, each represented by a small number. Visits share most
 * values, and adding to a number's place in an array costs a tenth of looking up a text.
 */
import {
  CLICK_DIMENSION_NAMES,
  CLICK_DIMENSIONS,
  type ClickDimension,
  type StoredValues,
  VISIT_PARTS,
  type VisitFacts,
  type VisitPart,
} from "../dimensions";
import { CODES_END, figureCode } from "../keys";
import type { FigureValue } from "../values";

const NONE = -1;

export class BatchValues {
  /** All values; the index of a value is its number. */
  readonly all: FigureValue[] = [];
  readonly #known = Array.from({ length: CODES_END }, () => new Map<string, number>());
  /** By code, the last value: the visits of a link follow each other and are mostly alike. */
  readonly #last = Array.from({ length: CODES_END }, () => ({ value: "", number: NONE }));

  numberOf(code: number, value: string): number {
    const last = this.#last[code];
    if (!last) throw new RangeError(`unknown dimension code ${code}`);
    if (last.number === NONE || last.value !== value) {
      last.number = this.#lookUp(code, value);
      last.value = value;
    }
    return last.number;
  }

  #lookUp(code: number, value: string): number {
    const ofCode = this.#known[code];
    const known = ofCode?.get(value);
    if (known !== undefined) return known;
    const number = this.all.push({ code, value }) - 1;
    ofCode?.set(value, number);
    return number;
  }
}

/** What is known of a click: facts if it is new, otherwise its stored values. An open needs neither. */
export type Known = { facts: VisitFacts } | { values: StoredValues };

type Dimension = (typeof CLICK_DIMENSIONS)[ClickDimension] & { name: ClickDimension };

const DIMENSIONS: readonly Dimension[] = CLICK_DIMENSION_NAMES.map((name) => ({ name, ...CLICK_DIMENSIONS[name] }));
const WITHOUT_PART = DIMENSIONS.filter(({ part }) => part === undefined);
const OF_PARTS = VISIT_PARTS.map((part) => ({ part, dimensions: DIMENSIONS.filter((each) => each.part === part) }));

/** Finds the numbers of visits' values. Those of the parts that visits share are cached. */
export class ValueReader {
  readonly #values: BatchValues;
  readonly #ofParts: Record<VisitPart, Map<object, readonly number[]>> = {
    agent: new Map(),
    place: new Map(),
    utm: new Map(),
  };

  constructor(values: BatchValues) {
    this.#values = values;
  }

  ofClick(known: Known | undefined, put: (value: number) => void): void {
    if (known && "facts" in known) this.#ofFacts(known.facts, put);
    else for (const each of DIMENSIONS) this.#put(each, known?.values[each.name] ?? "", put);
  }

  ofOpen(platform: string, source: string, put: (value: number) => void): void {
    put(this.#values.numberOf(OPEN_PLATFORM, platform));
    put(this.#values.numberOf(OPEN_SOURCE, source));
  }

  #ofFacts(facts: VisitFacts, put: (value: number) => void): void {
    for (const each of WITHOUT_PART) this.#put(each, textOf(each.of(facts)), put);
    for (const { part, dimensions } of OF_PARTS) {
      for (const value of this.#ofPart(part, dimensions, facts)) put(value);
    }
  }

  #ofPart(part: VisitPart, dimensions: readonly Dimension[], facts: VisitFacts): readonly number[] {
    const shared = facts[part] ?? NO_PART;
    const known = this.#ofParts[part].get(shared);
    if (known) return known;
    const found: number[] = [];
    for (const each of dimensions) this.#put(each, textOf(each.of(facts)), (value) => found.push(value));
    this.#ofParts[part].set(shared, found);
    return found;
  }

  #put({ code, countsBlank }: Dimension, text: string, put: (value: number) => void): void {
    if (text !== "" || countsBlank) put(this.#values.numberOf(code, text));
  }
}

const NO_PART = {};
const textOf = (value: string | number | null | undefined) => (typeof value === "string" ? value : String(value ?? ""));

const OPEN_PLATFORM = figureCode("opens", "platform") ?? 0;
const OPEN_SOURCE = figureCode("opens", "source") ?? 0;
