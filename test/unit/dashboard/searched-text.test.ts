import { expect, test } from "bun:test";
import { searchedText } from "@/dashboard/links/searched-text";

const HOSTS = ["localhost:3000", "go.acme.com", "xn--kse-qla.example"];

const TEXTS = {
  "https://go.acme.com/spring": "spring",
  "go.acme.com/spring?utm_source=poster#top": "spring",
  "HTTP://GO.ACME.COM/summer/sale/Spring/": "Spring",
  "localhost:3000/spring": "spring",
  "https://go.acme.com/k%C3%A4se": "käse",
  "käse.example/brot": "brot",
  "https://go.acme.com/half%E2%80": "half%E2%80",
  "go.acme.com": "go.acme.com",
  "https://shop.acme.com/spring": "https://shop.acme.com/spring",
  "spring sale": "spring sale",
  "50% off": "50% off",
  "": "",
};

test.each(Object.entries(TEXTS))("%s is searched for as %s", (typed, searched) => {
  expect(searchedText(typed, HOSTS)).toBe(searched);
});
