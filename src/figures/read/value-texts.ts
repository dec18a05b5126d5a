/**
 * The texts that the numbers of values stand for. They never change, so each is queried only once. The hostnames of
 * domains do change and are queried each time.
 *
 * Bound: `TEXTS_MAX` texts. A crash loses nothing.
 */
import { isUuid } from "@/core/ids";
import { type BoundedMap, createBoundedMap } from "@/platform/bounded-map";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Copies, Copy } from "@/platform/db/copies";
import { CLICK_DIMENSIONS } from "../dimensions";
import { codeOf, valueIdOf } from "../keys";
import type { Reader } from "./scope";

const TEXTS_MAX = 20_000;
const DOMAIN = CLICK_DIMENSIONS.domain.code;

export interface ValueText {
  /** Empty if unknown. */
  value: string;
  /** The hostname of a domain, empty if it was deleted; the value itself in other dimensions. */
  name: string;
}

export class ValueTexts implements Copy {
  readonly #known: BoundedMap<number, string> = createBoundedMap(TEXTS_MAX);

  constructor(copies: Copies) {
    copies.add(this);
  }

  forget(): void {
    this.#known.clear();
  }

  /** Returns texts by key, as in packed counts. */
  async read(sql: Reader, keys: readonly number[]): Promise<Map<number, ValueText>> {
    const values = await this.#values(sql, keys.map(valueIdOf));
    const textOf = (key: number) => values.get(valueIdOf(key)) ?? "";
    const hosts = await readHosts(sql, keys.filter((key) => codeOf(key) === DOMAIN).map(textOf));
    return new Map(
      keys.map((key) => {
        const value = textOf(key);
        return [key, { value, name: codeOf(key) === DOMAIN ? (hosts.get(value) ?? "") : value }];
      }),
    );
  }

  async #values(sql: Reader, ids: readonly number[]): Promise<Map<number, string>> {
    const values = new Map<number, string>();
    const missing: number[] = [];
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known === undefined) missing.push(id);
      else values.set(id, known);
    }
    if (missing.length === 0) return values;
    const rows = await sql<{ id: number; value: string }[]>`
      select id, value from figure_values where id = any(${arrayLiteral(missing)}::text::int[])`;
    for (const { id, value } of rows) {
      values.set(id, value);
      this.#known.set(id, value);
    }
    return values;
  }
}

/** Returns hostnames by domain id; deleted domains are absent. */
async function readHosts(sql: Reader, domains: readonly string[]): Promise<Map<string, string>> {
  const ids = domains.filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; hostname: string }[]>`
    select id, hostname from domains where id = any(${arrayLiteral(ids)}::text::uuid[])`;
  return new Map(rows.map(({ id, hostname }) => [id, hostname]));
}
