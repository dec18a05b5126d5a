import { expect, test } from "bun:test";
import { strongTag } from "@/dashboard/api/strong-tag";

test("an ETag is sent as the service made it, even if a proxy weakened it", () => {
  expect(strongTag('"mB3p2ZQ0c1hQ3mPq8wUa7w"')).toBe('"mB3p2ZQ0c1hQ3mPq8wUa7w"');
  expect(strongTag('W/"mB3p2ZQ0c1hQ3mPq8wUa7w"')).toBe('"mB3p2ZQ0c1hQ3mPq8wUa7w"');
});
