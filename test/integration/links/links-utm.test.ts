/** Proposed UTM values over HTTP; the tests of `core/utm/utm` check which are proposed. */
import { describe, expect, test } from "bun:test";
import { addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { UtmGenerationInput, type UtmGenerationResponse } from "@/contract/links/utm";

const now = Date.parse("2026-03-01T09:00:00.000Z");
const started = Date.now();
const service = await startTestService({ clock: () => now + Date.now() - started });
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}/links/utm/generate`;
const generate = (body: unknown, token = ada.token) =>
  service.call<UtmGenerationResponse & Record<string, unknown>>("POST", path, { token, body });

describe("400", () => {
  test.each(["no URL", "ftp://a.example/", "//a.example", "https://", "https://a:b@a.example/", "javascript:alert(1)"])(
    "for the destination %s",
    async (destinationUrl) => {
      expectFailure(await generate({ destinationUrl, source: "newsletter" }), 400, ["destinationUrl"]);
    },
  );

  test("for no body", async () => {
    expectFailure(await service.call("POST", path, { token: ada.token }), 400, ["body"]);
  });
});

describe("hostile values", () => {
  const valid = Object.fromEntries(Object.keys(UtmGenerationInput.properties).map((field) => [field, "spring"]));
  testHostileBodies(service, {
    method: "POST",
    path,
    schema: UtmGenerationInput,
    valid: { ...valid, destinationUrl: "https://shop.example.com/" },
    credentials: { token: ada.token },
  });
});

describe("200", () => {
  test("with the values, the reasons for them and the time", async () => {
    const { status, body } = await generate({
      destinationUrl: "https://Shop.example.com/spring?size=s#top",
      title: "Spring sale",
      platform: "Instagram",
      channel: "paid",
      variant: "B",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      utm: { source: "instagram", medium: "paid-social", campaign: "spring-sale", content: "b" },
      previewUrl:
        "https://shop.example.com/spring?size=s&utm_source=instagram&utm_medium=paid-social&utm_campaign=spring-sale&utm_content=b#top",
      confidence: 75,
      warnings: [],
    });
    expect(body.rationale).toHaveLength(5);
    expect(body.generatedAt).toStartWith("2026-03-01T09:0");
  });

  test.each([{}, { destinationUrl: "", title: " " }])("without a destination: %j", async (input) => {
    const { status, body } = await generate(input);
    expect([status, body.utm, body.previewUrl, body.confidence]).toEqual([200, {}, null, 0]);
  });

  test("for a viewer, without writing anything", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    const before = await tableState(service.sql);
    expect((await generate({ source: "newsletter" }, viewer.token)).status).toBe(200);
    expect(await tableState(service.sql)).toEqual(before);
  });

  test("the preview URL is where a link with these values leads", async () => {
    const destinationUrl = "https://shop.example.com/spring?utm_term=mine&q=a%2Fb+c#top";
    const { body } = await generate({ destinationUrl, source: "Größe", keyword: "shoes", title: "Весна & Sommer" });
    const link = await service.createLink(ada, { defaultUrl: destinationUrl, utm: body.utm });
    expect((await service.visit(link)).headers.get("location")).toBe(body.previewUrl);
  });
});
