import { describe, expect, test } from "bun:test";
import { vouchesForEmail } from "@/modules/sso/claims";

const ACME = "https://login.acme.test";
const ENTRA = "https://login.microsoftonline.com/6f5c2a1e-0b7d-4c3a-9e8f-112233445566/v2.0";

describe("a provider confirms an email address", () => {
  test.each<[string, string, Record<string, unknown>, boolean]>([
    ["by email_verified", ACME, { email_verified: true }, true],
    ["not without a word", ACME, {}, false],
    ["not by false", ACME, { email_verified: false }, false],
    ["not by a text", ACME, { email_verified: "true" }, false],
    ["not by Microsoft's claim when it is not Microsoft", ACME, { xms_edov: true }, false],
    ["of Microsoft, by xms_edov", ENTRA, { xms_edov: true }, true],
    ["of Microsoft, by xms_edov as a number", ENTRA, { xms_edov: 1 }, true],
    ["of Microsoft, by xms_edov as a text", ENTRA, { xms_edov: "1" }, true],
    ["of Microsoft for governments", ENTRA.replace(".com", ".us"), { xms_edov: true }, true],
    ["of Microsoft, not without xms_edov", ENTRA, {}, false],
    ["of Microsoft, not by another xms_edov", ENTRA, { xms_edov: 0 }, false],
    ["of Microsoft, not against email_verified", ENTRA, { email_verified: false, xms_edov: true }, false],
    ["not where only the path is Microsoft's", `${ACME}/${ENTRA}`, { xms_edov: true }, false],
    ["not where only the host begins so", ENTRA.replace(".com/", ".com.evil.test/"), { xms_edov: true }, false],
    ["not without TLS", ENTRA.replace("https", "http"), { xms_edov: true }, false],
  ])("%s", (_, issuer, claims, expected) => {
    expect(vouchesForEmail(issuer, claims)).toBe(expected);
  });
});
