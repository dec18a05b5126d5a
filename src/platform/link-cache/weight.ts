/**
 * What an entry takes of the process's memory, in bytes, estimated from what the link says. The constants come from filling
 * caches with 100,000 links of one shape each and dividing what the process grew by; estimates of these shapes, and of
 * mixtures, are within a fifth of it.
 */
import type { LinkDefinition } from "@/core/link";

const ENTRY_BYTES = 2_600;
const RULE_BYTES = 1_500;
const SPLIT_TARGET_BYTES = 700;
/** Of the definition as JSON: values cost their text, and objects what names their fields. */
const BYTES_PER_CHARACTER = 1.5;

export function weightOf(key: string, definition: LinkDefinition): number {
  const { rules, splitTargets } = definition;
  const characters = 2 * key.length + JSON.stringify(definition).length;
  return (
    ENTRY_BYTES +
    rules.length * RULE_BYTES +
    splitTargets.length * SPLIT_TARGET_BYTES +
    Math.ceil(characters * BYTES_PER_CHARACTER)
  );
}
