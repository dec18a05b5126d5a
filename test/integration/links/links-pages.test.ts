/** The pages that a link may show its visitors, as they are written and read through the API. */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
const defaultUrl = "https://example.com/";
const path = `/api/v1/organizations/${ada.orgId}/links`;
const create = (body: Record<string, unknown>) =>
  service.call("POST", path, { token: ada.token, body: { defaultUrl, ...body } });

describe("400 names the invalid field:", () => {
  const field = (over: Record<string, unknown>) => ({ leadCapture: { fields: [{ name: "email", ...over }] } });
  const pixel = (over: Record<string, unknown>) => ({ retargetingPixels: [{ provider: "meta", id: "1", ...over }] });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["a form that is no object", { leadCapture: "on" }, ["leadCapture"]],
    ["a switch that is none", { leadCapture: { enabled: "yes" } }, ["leadCapture.enabled"]],
    ["a title that is no text", { leadCapture: { title: 5 } }, ["leadCapture.title"]],
    ["fields that are no list", { leadCapture: { fields: {} } }, ["leadCapture.fields"]],
    [
      "21 fields",
      { leadCapture: { fields: Array.from({ length: 21 }, (_, i) => ({ name: `${i}` })) } },
      ["leadCapture.fields"],
    ],
    ["a field without a name", { leadCapture: { fields: [{ label: "Email" }] } }, ["leadCapture.fields[0].name"]],
    ["a field of a blank name", field({ name: "  " }), ["leadCapture.fields[0].name"]],
    ["a field of a name of two lines", field({ name: "your\nname" }), ["leadCapture.fields[0].name"]],
    ["a field called as the password is sent", field({ name: "Password" }), ["leadCapture.fields[0].name"]],
    ["a field called as ours are", field({ name: "wm_pass" }), ["leadCapture.fields[0].name"]],
    ["a field of no type there is", field({ type: "password" }), ["leadCapture.fields[0].type"]],
    ["a field's mark that is none", field({ required: 1 }), ["leadCapture.fields[0].required"]],
    [
      "a name twice",
      { leadCapture: { fields: [{ name: "email" }, { name: "a" }, { name: "email" }] } },
      ["leadCapture.fields[2].name"],
    ],
    [
      "a field called as the consent",
      { leadCapture: { fields: [{ name: "consent" }], consentText: "I agree" } },
      ["leadCapture.fields[0].name"],
    ],
    ["a provider there is not", pixel({ provider: "myspace" }), ["retargetingPixels[0].provider"]],
    ["a pixel without id", { retargetingPixels: [{ provider: "meta" }] }, ["retargetingPixels[0].id"]],
    ["an id that is a script", pixel({ id: "<script>" }), ["retargetingPixels[0].id"]],
    ["an id of another provider", pixel({ provider: "snapchat" }), ["retargetingPixels[0].id"]],
    [
      "21 pixels",
      { retargetingPixels: Array.from({ length: 21 }, () => ({ provider: "meta", id: "1" })) },
      ["retargetingPixels"],
    ],
    ["an overlay that is a list", { ctaOverlay: [] }, ["ctaOverlay"]],
    ["a place there is not", { ctaOverlay: { position: "left" } }, ["ctaOverlay.position"]],
    ["a mode there is not", { ctaOverlay: { mode: "popup" } }, ["ctaOverlay.mode"]],
    ["a button's URL that is a script", { ctaOverlay: { buttonUrl: "javascript:alert(1)" } }, ["ctaOverlay.buttonUrl"]],
    ["a button's URL that is no text", { ctaOverlay: { buttonUrl: {} } }, ["ctaOverlay.buttonUrl"]],
  ])("%s", async (_, body, fields) => {
    expectFailure(await create(body), 400, fields);
  });

  test("in an update as well", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    const body = {
      retargetingPixels: [
        { provider: "x", id: "o1a2b" },
        { provider: "x", id: "!" },
      ],
    };
    const reply = await service.call("PATCH", `${path}/${_id}`, { token: ada.token, body });
    expectFailure(reply, 400, ["retargetingPixels[1].id"]);
  });
});

test("201: pages are stored as given, without unknown fields", async () => {
  const pages = {
    leadCapture: {
      enabled: true,
      title: "Sign up",
      description: "",
      fields: [{ name: "email", label: "Email", type: "email", required: true }, { name: "consent" }],
      buttonText: "Go",
    },
    retargetingPixels: [
      { provider: "meta", id: "1234567890" },
      { provider: "google", id: "AW-123456789", isActive: false },
    ],
    ctaOverlay: {
      enabled: false,
      message: "Look",
      buttonUrl: "https://example.com/cta",
      position: "top",
      mode: "overlay",
    },
  };
  const { status, body } = await create({ ...pages, ctaOverlay: { ...pages.ctaOverlay, unknown: 1 } });
  expect([status, body]).toEqual([201, expect.objectContaining(pages)]);
  const read = await service.call("GET", `${path}/${body._id}`, { token: ada.token });
  expect<unknown>(read.body).toEqual({ ...body, blockers: [] });
});

test("201: an empty button URL is omitted", async () => {
  const { body } = await create({ ctaOverlay: { enabled: true, buttonUrl: "" } });
  expect(body.ctaOverlay).toEqual({ enabled: true });
});

test("200: null clears the pages and the pixels", async () => {
  const link = await service.createLink(ada, {
    defaultUrl,
    leadCapture: { enabled: true },
    ctaOverlay: { enabled: true },
    retargetingPixels: [{ provider: "meta", id: "1" }],
  });
  const body = { leadCapture: null, ctaOverlay: null, retargetingPixels: null };
  const cleared = await service.call("PATCH", `${path}/${link._id}`, { token: ada.token, body });
  const { leadCapture, ctaOverlay, retargetingPixels } = cleared.body;
  expect([cleared.status, leadCapture, ctaOverlay, retargetingPixels]).toEqual([200, undefined, undefined, []]);
});
