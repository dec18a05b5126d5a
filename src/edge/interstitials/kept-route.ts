/**
 * The route that a visit was given before its form was shown. By the time the form is sent, the visitor may be on another
 * network, or the link may have changed, and other rules may match. So the visit's token says which route it was, as long
 * as the link has it: a rule by its number, a split target by its key.
 */
import type { CompiledLink, Route } from "@/core/routing/compiled-link";
import { numberAt } from "@/core/rules/rule-numbers";

/** The length of what `routeKey` returns. */
export const ROUTE_KEY_BYTES = 6;

/** Returns hexadecimal digits that no other route of the link has. */
export const routeKey = (link: CompiledLink, route: Route): string =>
  new Bun.CryptoHasher("sha256").update(nameOf(link, route)).digest().toString("hex", 0, ROUTE_KEY_BYTES);

/** Returns undefined if the link has no such route any more. */
export const routeOfKey = (link: CompiledLink, key: string): Route | undefined =>
  link.routes().find((route) => routeKey(link, route) === key);

function nameOf({ definition }: CompiledLink, { kind, ruleIndex, splitKey, store }: Route): string {
  switch (kind) {
    case "rule":
      return `rule ${numberAt(definition.rules, ruleIndex ?? 0)}`;
    case "split":
      return `split ${splitKey}`;
    case "store":
      return `store ${store}`;
    case "default":
      return "default";
    default:
      return kind satisfies never;
  }
}
