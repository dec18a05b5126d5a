/** The nginx example of the guide: its settings match the service's. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "@/config";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";

const guide = await readFile(join(import.meta.dir, "../../src/http/docs/guide/operating.md"), "utf8");
const [, example = ""] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? [];
const set = (name: string): string => new RegExp(`^ *${name} +(.*);$`, "m").exec(example)?.[1] ?? "";

test("nginx accepts the largest import", () => {
  expect(Number.parseInt(set("client_max_body_size"), 10) * 2 ** 20).toBeGreaterThan(IMPORT_BYTES_MAX);
});

test("nginx closes an idle connection before the service does", () => {
  expect(set("keepalive_timeout")).toMatch(/^\d+s$/);
  expect(Number.parseInt(set("keepalive_timeout"), 10)).toBeLessThan(readConfig({}).keepAliveSeconds);
});

test("nginx passes on the host with its port, and the client's address", () => {
  expect(set("proxy_set_header Host")).toBe("$http_host");
  expect(set("proxy_set_header X-Forwarded-For")).toBe("$proxy_add_x_forwarded_for");
});
