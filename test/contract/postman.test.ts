import { expect, test } from "bun:test";
import { describeApp, operationsOf } from "@test/support/described";
import { toPostman } from "@/http/document/postman";

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: { path: string[] }; auth?: { type: string } };
}

const { document } = await describeApp();
const collection = JSON.parse(await toPostman(document));
const requests = leaves(collection);

test("the collection is of Postman's format 2.1 and bears the document's name", () => {
  expect(collection.info).toMatchObject({
    name: "Waymark API",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  });
});

test("it holds every operation of the document, once", () => {
  const held = requests.map(({ request }) => `${request?.method} /${request?.url.path.join("/")}`);
  const documented = operationsOf(document).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
  );
  expect(held.sort()).toEqual(documented.sort());
});

test("what has to be filled in once are its variables", () => {
  const variables: { key: string; value: string }[] = collection.variable;
  expect(variables.map(({ key }) => key)).toEqual(["baseUrl", "bearerToken", "apiKey", "orgId"]);
  expect(JSON.stringify(requests)).toContain('"{{bearerToken}}"');
  expect(JSON.stringify(requests)).toContain('"{{apiKey}}"');
});

test("requests carry the credentials of their operation", () => {
  const typeOf = (name: string) => requests.find((item) => item.name === name)?.request?.auth?.type;
  expect(typeOf("Create a link with an API key")).toBe("apikey");
  expect(typeOf("Create a link")).toBe("bearer");
});

function leaves(parent: Pick<Item, "item">): Item[] {
  return (parent.item ?? []).flatMap((item) => (item.item ? leaves(item) : [item]));
}
