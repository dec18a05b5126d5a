/**
 * What an entry takes of the process's memory, in bytes, estimated from what the link says. The constants come from filling
 * caches with 60,000 links of one shape each (plain, rules, splits, UTM with an app, payloads, long destinations), from
 * what the process grew by, and from what visits leave behind (the headers of an answer); a sixth is added for what the
 * garbage collector has not come to yet.
 */
import type { LinkDefinition } from "@/core/routing/link";

const ENTRY_BYTES = 850;
const ANSWER_BYTES = 900;
const RULE_BYTES = 2_550;
const SPLIT_TARGET_BYTES = 400;
const APP_BYTES = 1_200;
const ADDITIONS_BYTES = 700;
/** Of the definition as JSON: texts, some of which stand in a finished destination, too. */
const BYTES_PER_CHARACTER = 2.1;
/** Beyond that, of free objects, whose many small values each cost a head. */
const BYTES_PER_FREE_CHARACTER = 2.3;

export function weightOf(key: string, definition: LinkDefinition): number {
  const { rules, splitTargets, app, utm, marketing, deepLinkPayload } = definition;
  const free = deepLinkPayload === null ? 0 : JSON.stringify(deepLinkPayload).length;
  const characters = 2 * key.length + JSON.stringify(definition).length;
  return Math.ceil(
    ENTRY_BYTES +
      ANSWER_BYTES +
      rules.length * RULE_BYTES +
      splitTargets.length * SPLIT_TARGET_BYTES +
      (app === null ? 0 : APP_BYTES) +
      (utm === null && marketing === null ? 0 : ADDITIONS_BYTES) +
      characters * BYTES_PER_CHARACTER +
      free * BYTES_PER_FREE_CHARACTER,
  );
}
