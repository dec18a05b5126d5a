import { describe } from "bun:test";
import { Type } from "@sinclair/typebox";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { BIO_ITEMS_MAX, BioItemInput, BioPageInput, BioPageUpdate } from "@/contract/links/bio-pages";
import { list, nullable } from "@/contract/schema";

const service = await startTestService();
const ada = await service.register();
const credentials = { token: ada.token };
const pages = `/api/v1/organizations/${ada.orgId}/bio-pages`;
const made = await service.call<{ _id: string }>("POST", pages, { ...credentials, body: { title: "Ada" } });
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });

const item = {
  ...{ key: "a", title: "Shop", icon: "shop", display: "icon", isActive: true },
  imageUrl: "https://acme.com/shop.jpg",
};
const images = { avatarUrl: "https://acme.com/ada.jpg", coverUrl: "https://acme.com/cover.jpg" };
const buttons = { buttonStyle: "soft", buttonShape: "pill" };
const page = {
  title: "Ada",
  bio: "We make things.",
  theme: {
    preset: "dark",
    background: "#123",
    backgroundEnd: "#014",
    text: "#fefefe",
    accent: "#ffb300",
    font: "serif",
    ...buttons,
    ...images,
  },
  links: [{ ...item, url: "https://example.com/" }],
  isActive: true,
};
/** An item has either a URL or a link, so each is tested without the other. */
const listWithout = (left: "url" | "linkId") =>
  Type.Optional(nullable(list(Type.Omit(BioItemInput, [left]), BIO_ITEMS_MAX)));

describe("POST bio-pages", () => {
  const { domainId: _, ...fields } = BioPageInput.properties;
  const schema = Type.Object({ ...fields, links: listWithout("linkId") });
  testHostileBodies(service, { method: "POST", path: pages, schema, valid: page, credentials });
});

describe("PATCH bio-pages", () => {
  const schema = Type.Object({ ...BioPageUpdate.properties, links: listWithout("linkId") });
  testHostileBodies(service, { method: "PATCH", path: `${pages}/${made.body._id}`, schema, valid: page, credentials });
});

describe("POST bio-pages with an item of a link", () => {
  const schema = Type.Object({ links: listWithout("url") });
  const valid = { ...page, links: [{ ...item, linkId: link._id }] };
  testHostileBodies(service, { method: "POST", path: pages, schema, valid, credentials });
});
