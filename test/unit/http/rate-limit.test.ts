import { expect, test } from "bun:test";
import { HttpError } from "@/http/errors";
import { limitByAddress } from "@/http/rate-limit";
import { openLimits } from "@/platform/limits/limits";

const START = Date.parse("2026-06-01T12:00:00.000Z");
let now = START;
const limits = openLimits({ clock: () => now, redisUrl: null, database: "", onError() {} });
const callerOf = (request: Request) => ({ ip: request.headers.get("x-client"), userAgent: null });
const from = (address: string) => new Request("http://localhost/api/v1/match", { headers: { "x-client": address } });

test("calls without credentials are limited to sixty a minute per address, which affects no other address", async () => {
  const limit = limitByAddress(limits, "match", callerOf);
  for (let index = 1; index <= 60; index++) await limit(from(`2001:db8::${index}`));
  now = START + 15_000;
  const refusal = await limit(from("2001:db8::61")).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 429, headers: { "retry-after": "45" } });
  await limit(from("2001:db8:0:1::1"));
  await limitByAddress(limits, "lead", callerOf)(from("2001:db8::1"));
  now = START + 60_000;
  await limit(from("2001:db8::1"));
});
