import { expect, test } from "bun:test";
import { decodedUrl, readableUrl } from "@/dashboard/ui/readable-url";

const URLS = {
  "https://go.acme.com/k%C3%A4se": "go.acme.com/käse",
  "http://localhost:3000/spring": "localhost:3000/spring",
  "https://go.acme.com/a%2Fb%3Fc": "go.acme.com/a%2Fb%3Fc",
  "https://go.acme.com/half%E2%80": "go.acme.com/half%E2%80",
  "https://go.acme.com/turned%E2%80%AEround": "go.acme.com/turned%E2%80%AEround",
  "https://go.acme.com/two%20words": "go.acme.com/two%20words",
};

test.each(Object.entries(URLS))("%s is shown as %s", (url, read) => {
  expect(readableUrl(url)).toBe(read);
});

test("a whole URL keeps its scheme", () => {
  expect(decodedUrl("http://go.acme.com/fr%C3%BChling?q=%C3%BC%26")).toBe("http://go.acme.com/frühling?q=ü%26");
});
