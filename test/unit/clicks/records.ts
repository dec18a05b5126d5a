/** Click records for tests, valid unless a test changes them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClickRecord } from "@/clicks/record";

export const AT = Date.UTC(2026, 10, 21, 10, 5, 30, 123);

export const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";

export const clickRecord = (changes: Partial<ClickRecord> = {}): ClickRecord => ({
  kind: "click",
  id: Bun.randomUUIDv7(),
  at: AT,
  linkId: "0193a1b2-0000-7000-8000-000000000001",
  linkVersion: 1,
  orgId: "0193a1b2-0000-7000-8000-0000000000aa",
  route: "default",
  ruleIndex: null,
  splitKey: null,
  isHead: false,
  isPrefetch: false,
  address: "81.2.69.142",
  userAgent: SAFARI,
  acceptLanguage: "en-GB,en;q=0.8",
  referrer: "https://news.example.com/today?x=1",
  query: "",
  visitorId: undefined,
  platform: undefined,
  ...changes,
});

/** Creates a folder that `remove` deletes. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "waymark-clicks-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
