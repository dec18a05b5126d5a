/** A client that lost a response can send any POST again: with an `Idempotency-Key`, or because it does no harm. */
import { expect, test } from "bun:test";
import { describeApp, operationsOf } from "@test/support/document/described";

const { document } = await describeApp();
const posts = operationsOf(document).filter(({ method }) => method === "POST");

/** What is sent twice without a key, and why that creates nothing twice. */
const HARMLESS: Record<string, string> = {
  register: "the address is taken by then",
  createImport: "what was imported before is not imported again",
  verifyImport: "it is under way by then",
  rollBackImport: "it is under way by then",
  cancelImport: "it has ended by then",
  claimMatch: "a token is claimed once, and the response repeated",
  claimInstallAttribution: "a token is claimed once, and the response repeated",
  exchangeSsoCode: "a code is good once",
  login: "it makes another session, which ends by itself",
  loginTwoFactor: "a code is good once",
  logout: "the session has ended by then",
  setUpTwoFactor: "nothing counts before it is enabled",
  enableTwoFactor: "it is enabled by then",
  disableTwoFactor: "it is disabled by then",
  requestPasswordReset: "the latest mail counts",
  resetPassword: "a token is good once",
  resendEmailVerification: "every mail proves the same",
  verifyEmail: "a token is good once",
  verifyDomain: "it asks DNS again",
  rescanLinkSafety: "it checks again",
  rotateWebhookSecret: "each secret signs for a day, and the last response has the one that stays",
  testWebhook: "a sample is not stored",
  redeliverWebhook: "receivers tell messages by their id",
  reviewAbuseInBulk: "the verdict is the same",
  deleteLinks: "they are gone by then",
  eraseVisitor: "nothing is left to erase",
  previewLink: "nothing is stored",
  previewLinkTraffic: "nothing is stored",
  generateUtm: "nothing is stored",
  proposeQrCodeStyle: "nothing is stored",
  askMarketingAssistant: "nothing is stored",
};

const takesKey = ({ parameters = [] }: (typeof posts)[number]) =>
  parameters.some((parameter) => parameter.in === "header" && parameter.name === "Idempotency-Key");

test("every POST takes an Idempotency-Key, or does no harm if it is sent twice", () => {
  const without = posts.filter((operation) => !takesKey(operation)).map(({ operationId }) => operationId ?? "");
  expect(without.sort()).toEqual(Object.keys(HARMLESS).sort());
});
