/** Signs of deceit in URLs: each is found where it belongs, and none on honest sites. */
import { describe, expect, test } from "bun:test";
import { signsOf } from "@/core/safety/heuristics";
import { subjectOf } from "@/modules/safety/subject";

const own = { isServed: (host: string) => host === "go.waymark.example" };

function signs(url: string): string[] {
  const subject = subjectOf(url);
  if (!subject) throw new Error(`No URL: ${url}`);
  return signsOf(subject, own).map(({ id }) => id);
}

describe("signs of deceit are found in", () => {
  test.each([
    ["an IPv4 address", "http://203.0.113.9/login", ["ip_address"]],
    ["an address written in hexadecimal", "http://0xcb.0x00.0x71.9/", ["ip_address"]],
    ["an address written as a number", "http://3405803785/", ["ip_address"]],
    ["an IPv6 address", "http://[2001:db8::1]/", ["ip_address"]],
    ["an address with the dot of the root", "http://203.0.113.9./", ["ip_address"]],
    ["a name of this machine", "http://localhost/admin", ["local_host"]],
    ["a name of a private network", "https://router.local/", ["local_host"]],
    ["a name without a dot", "https://intranet/", ["local_host"]],
    ["a Cyrillic letter within a Latin name", "https://pаypal.com/", ["mixed_scripts", "brand_lookalike"]],
    ["the same in punycode", "https://xn--pypal-4ve.com/", ["mixed_scripts", "brand_lookalike"]],
    ["a brand written in Cyrillic altogether", "https://аррӏе.com/", ["brand_lookalike"]],
    ["digits in place of letters", "https://www.paypa1.com/", ["brand_lookalike"]],
    ["digits within a longer name", "https://micr0soft-updates.net/", ["brand_lookalike"]],
    ["two letters that look like one", "https://arnazon.com/", ["brand_lookalike"]],
    ["accents on a brand", "https://ģoogle.com/", ["brand_lookalike"]],
    ["a look-alike in front of a domain", "https://g00gle.example.org/", ["brand_lookalike"]],
    ["a brand's domain in front of another", "https://paypal.com.secure.example.net/", ["brand_in_foreign_host"]],
    ["a brand beside a word that asks for trust", "https://paypal-login.example/", ["brand_in_foreign_host"]],
    ["the same in front of a domain", "https://appleid.verify-apple.example.com/", ["brand_in_foreign_host"]],
    ["many names in front of the domain", "https://a.b.c.d.e.example.com/", ["many_subdomains"]],
    ["a port that web sites do not use", "https://example.com:4444/", ["unusual_port"]],
    ["a URL shortener", "https://bit.ly/3xyz", ["url_shortener"]],
    ["one with www", "https://www.tinyurl.com/abc", ["url_shortener"]],
    ["a short domain of this service", "https://go.waymark.example/other", ["own_short_link"]],
    ["a program", "https://example.com/files/invoice.pdf.exe?x=1", ["program_download"]],
    ["a script in capitals", "https://example.com/RUN.PS1", ["program_download"]],
    ["several things at once", "http://203.0.113.9:4444/a.exe", ["ip_address", "unusual_port", "program_download"]],
  ])("%s", (_, url, expected) => {
    expect(signs(url)).toEqual(expected);
  });
});

const HONEST = [
  "https://www.google.com/search?q=paypal+login",
  "https://accounts.google.com/ServiceLogin?continue=https%3A%2F%2Fmail.google.com%2F",
  "https://www.google.co.uk/",
  "https://google.github.io/styleguide/",
  "https://pay.google.com/",
  "https://www.paypal.com/signin",
  "https://paypal.me/someone",
  "https://www.paypal-community.com/",
  "https://www.paypalobjects.com/logo.svg",
  "https://appleid.apple.com/account",
  "https://apps.apple.com/de/app/id1234567890",
  "https://apple.stackexchange.com/questions/1",
  "https://www.apple.com.cn/",
  "https://login.microsoftonline.com/common/oauth2",
  "https://login.live.com/",
  "https://microsoft.github.io/monaco-editor/",
  "https://account.microsoft.com/security",
  "https://www.amazon.de/dp/B000000000",
  "https://www.amazon.com.be/",
  "https://www.amazon.com.au/",
  "https://amazon.jobs/en",
  "https://smile.amazon.com/",
  "https://my-bucket.s3.dualstack.us-east-1.amazonaws.com/a.pdf",
  "https://abc123.execute-api.eu-central-1.amazonaws.com/prod",
  "https://d111111abcdef8.cloudfront.net/index.html",
  "https://www.facebook.com/business",
  "https://m.facebook.com/login",
  "https://l.instagram.com/",
  "https://www.instagram.com/waymark/",
  "https://wa.me/491700000000",
  "https://web.whatsapp.com/",
  "https://www.netflix.com/login",
  "https://help.netflix.com/",
  "https://www.linkedin.com/company/acme",
  "https://x.com/acme/status/1",
  "https://www.tiktok.com/@acme",
  "https://discord.gg/abc",
  "https://support.discord.com/",
  "https://open.spotify.com/track/1",
  "https://github.com/login",
  "https://gist.github.com/acme/1",
  "https://docs.github.com/",
  "https://acme.github.io/docs/",
  "https://www.dropbox.com/s/abc/file.pdf",
  "https://www.docusign.net/",
  "https://www.wellsfargo.com/",
  "https://secure.bankofamerica.com/login",
  "https://www.coinbase.com/signin",
  "https://metamask.io/",
  "https://steamcommunity.com/id/acme",
  "https://store.steampowered.com/",
  "https://web.archive.org/web/2024/https://www.paypal.com/",
  "https://en.wikipedia.org/wiki/Main_Page",
  "https://ja.wikipedia.org/wiki/%E3%83%A1",
  "https://müller.de/",
  "https://café-amelie.fr/",
  "https://россия.рф/",
  "https://παράδειγμα.gr/",
  "https://日本語.jp/",
  "https://tシャツ.jp/",
  "https://한국.kr/",
  "https://www.bbc.co.uk/news",
  "https://www.nytimes.com/2026/01/31/world/story.html",
  "https://shop.example.com/spring?utm_source=newsletter#top",
  "https://play.google.com/store/apps/details?id=com.acme.app",
  "https://www.youtube.com/watch?v=abc",
  "https://youtu.be/abc",
  "https://open.substack.com/pub/acme",
  "https://acme.myshopify.com/products/one",
  "https://acme.zendesk.com/hc/en-us",
  "https://dropbox-support.zendesk.com/",
  "https://www.gov.uk/browse",
  "https://service.gov.uk/",
  "https://dev.azure.com/acme",
  "https://acme.blob.core.windows.net/files/a.pdf",
  "https://app.hubspot.com/contacts",
  "https://example.com:8443/",
  "http://example.com/",
];

describe("no signs of deceit are found in", () => {
  test.each(HONEST)("%s", (url) => {
    expect(signs(url)).toEqual([]);
  });
});

test("a sign's sentence names the host", () => {
  const subject = subjectOf("https://www.paypa1.com/");
  const sentences = subject && signsOf(subject, own).map(({ sentence }) => sentence);
  expect(sentences).toEqual(["www.paypa1.com can be mistaken for paypal"]);
});
