import { expect, test } from "bun:test";
import { signInTiming } from "./sign-in-timing";

test("sign-in fails alike for known, unknown and password-less accounts, and password resets respond alike", async () => {
  const reports = await signInTiming({ tries: 5 });
  expect(reports.map(({ asked, answers }) => [asked, answers])).toEqual([
    ["login", [expect.stringMatching(/^401 /)]],
    ["forgot", [expect.stringMatching(/^200 /)]],
  ]);
}, 240_000);
