import { expect, test } from "bun:test";
import { signInTiming } from "./sign-in-timing";

test("a wrong password, an unknown email and an account without a password are answered alike, and so is who forgot one", async () => {
  const reports = await signInTiming({ tries: 5 });
  expect(reports.map(({ asked, answers }) => [asked, answers])).toEqual([
    ["login", [expect.stringMatching(/^401 /)]],
    ["forgot", [expect.stringMatching(/^200 /)]],
  ]);
}, 240_000);
