/**
 * Estimates the bytes of the process's memory that an entry takes, from its link's definition. The constants were
 * measured by filling caches with 60,000 links of one shape each (plain, rules, splits, UTM with an app, payloads,
 * long destinations): they cover the growth of the process and what visits leave behind (the headers of a response).
 * A sixth is added for garbage that has not been collected yet.
 */
import type { LinkDefinition } from "@/core/routing/link";

const ENTRY_BYTES = 850;
const ANSWER_BYTES = 900;
const RULE_BYTES = 2_550;
const SPLIT_TARGET_BYTES = 400;
const APP_BYTES = 1_200;
const ADDITIONS_BYTES = 700;
/** Per character of the definition as JSON: its texts, some of which a finished destination holds a second time. */
const BYTES_PER_CHARACTER = 2.1;
/**
 * Per character of free-form objects, in addition to the above: each of their many small values has an object header.
 */
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
