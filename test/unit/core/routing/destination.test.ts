import { describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import fc from "fast-check";
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import { isOwnShortUrl, normaliseDestination } from "@/core/routing/destination";
import { UNKNOWN_VISITOR_FACTS } from "@/core/routing/facts";
import type { LinkDefinition } from "@/core/routing/link";

const [anyCase] = routingCases;
if (anyCase === undefined) throw new Error("no cases");
const plain: LinkDefinition = { ...definitionOf(anyCase), rules: [], splitTargets: [] };

const destinationOf = (definition: Partial<LinkDefinition>, visit: Parameters<typeof finalDestination>[2]) => {
  const link = compileLink({ ...plain, ...definition });
  return finalDestination(link, link.route(UNKNOWN_VISITOR_FACTS, { draw: () => 0 }), visit);
};

const anyText = fc.string({ unit: "binary" });
const urls = fc
  .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), anyText, anyText)
  .map(([url, query, fragment]) => normaliseDestination(`${url}${url.includes("?") ? "&" : "?"}${query}#${fragment}`))
  .filter((normalised) => normalised.ok)
  .map(({ url }) => url);

describe("a destination", () => {
  test("is printable ASCII and not changed by a URL parser, for any combination of parts", () => {
    fc.assert(
      fc.property(urls, anyText, anyText, anyText, (defaultUrl, query, campaign, promoCode) => {
        const marketing = { promoCode, appendToDestination: true };
        const url = destinationOf({ defaultUrl, utm: { campaign }, marketing }, { query });
        expect(url).toMatch(/^[\x21-\x7e]+$/);
        expect(new URL(url).href).toBe(url);
        expect(new URL(url).host).toBe(new URL(defaultUrl).host);
        expect(new URL(url).hash).toBe(new URL(defaultUrl).hash);
        expect(() => Response.redirect(url)).not.toThrow();
      }),
    );
  });

  test("has lone surrogates replaced", () => {
    const defaultUrl = "https://example.com/";
    const definition = { defaultUrl, utm: { campaign: "\ud800" } };
    expect(destinationOf(definition, { query: "a=\udc00" })).toBe(`${defaultUrl}?utm_campaign=%EF%BF%BD&a=%EF%BF%BD`);
  });

  test("passes on the visitor's query parameters except the secret ones", () => {
    const keys = fc.constantFrom("a", "b", "utm_source", "pw", "password", "match_token", "wm_cid", "ü");
    const pairs = fc.array(fc.tuple(keys, fc.string({ unit: "grapheme" })), { maxLength: 8 });
    fc.assert(
      fc.property(pairs, (brought) => {
        const query = new URLSearchParams(brought).toString();
        const url = destinationOf(
          { defaultUrl: "https://example.com/?a=own&c=own", utm: { source: "mail" } },
          { query },
        );
        const got = new URL(url).searchParams;
        for (const secret of ["pw", "password", "match_token", "wm_cid"]) expect(got.has(secret)).toBe(false);
        for (const key of ["a", "b", "utm_source", "ü"]) {
          const values = brought.filter(([each]) => each === key).map(([, value]) => value);
          if (values.length > 0) expect(got.getAll(key)).toEqual(values);
        }
        expect(got.get("c")).toBe("own");
      }),
    );
  });
});

describe("the click id", () => {
  const visit = { query: "", clickId: "0198f2b0" };

  test("is added last, before the fragment, if the organization wants it", () => {
    const definition = { appendClickId: true, defaultUrl: "https://example.com/?a=1#part", utm: { source: "mail" } };
    expect(destinationOf(definition, { ...visit, query: "b=2" })).toBe(
      "https://example.com/?a=1&utm_source=mail&b=2&wm_cid=0198f2b0#part",
    );
  });

  test("is not added otherwise", () => {
    expect(destinationOf({ defaultUrl: "https://example.com/" }, visit)).toBe("https://example.com/");
  });

  test("replaces one in the destination and one from the visitor", () => {
    const definition = { appendClickId: true, defaultUrl: "https://example.com/?wm_cid=old" };
    expect(destinationOf(definition, { ...visit, query: "wm_cid=forged" })).toBe(
      "https://example.com/?wm_cid=0198f2b0",
    );
  });
});

describe("normaliseDestination accepts", () => {
  test.each([
    ["https://example.com", "https://example.com/"],
    ["HTTP://EXAMPLE.COM:80/A/../B", "http://example.com/B"],
    ["  https://example.com/x  ", "https://example.com/x"],
    ["https://münchen.example/straße?q=ä#ö", "https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%C3%A4#%C3%B6"],
    ["https://example.com/a\r\nb", "https://example.com/ab"],
    ["https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/"],
  ])("%j", (text, url) => {
    expect(normaliseDestination(text)).toEqual({ ok: true, url });
  });

  test("2,048 characters", () => {
    const text = `https://example.com/${"a".repeat(2_028)}`;
    expect(normaliseDestination(text)).toEqual({ ok: true, url: text });
  });
});

describe("normaliseDestination refuses", () => {
  test.each([
    [""],
    ["example.com"],
    ["/path"],
    ["//example.com/"],
    ["https:example.com"],
    ["https:/example.com"],
    ["https://"],
    ["https://exa mple.com/"],
    ["https://example.com:99999/"],
    ["ftp://example.com/"],
    ["javascript:alert(1)//https://"],
    ["data:text/html,https://example.com"],
    ["myapp://open"],
  ])("%j as no absolute http(s) URL", (text) => {
    expect(normaliseDestination(text)).toEqual({ ok: false, fault: "expected an absolute http or https URL" });
  });

  test.each([["https://user@example.com/"], ["https://user:secret@example.com/"], ["https://:secret@example.com/"]])(
    "%j for its credentials",
    (text) => {
      expect(normaliseDestination(text)).toEqual({ ok: false, fault: "expected a URL without user name or password" });
    },
  );

  test("2,049 characters", () => {
    expect(normaliseDestination(`https://example.com/${"a".repeat(2_029)}`).ok).toBe(false);
  });

  test("what exceeds 2,048 characters once escaped", () => {
    expect(normaliseDestination(`https://example.com/${"ü".repeat(700)}`).ok).toBe(false);
  });
});

describe("isOwnShortUrl", () => {
  const own = "https://go.example.com/Promo/frühling";

  test.each([
    [own],
    ["http://go.example.com/Promo/frühling"],
    ["https://GO.example.com/promo/FRÜHLING"],
    ["https://go.example.com/promo/fru%CC%88hling/"],
    ["https://go.example.com/Promo/fr%C3%BChling?x=1#part"],
    ["https://go.example.com./Promo/frühling"],
    ["https://go.example.com//Promo///frühling//"],
    ["https://go.example.com/Promo/./%2e/frühling"],
    ["https://go.example.com/%EF%BC%B0romo/frühling"],
    // Some proxies decode it before it reaches us.
    ["https://go.example.com/Promo%2Ffrühling"],
  ])("is true for %s", (destination) => {
    expect(isOwnShortUrl(destination, own, false)).toBe(true);
  });

  test.each([
    ["https://go.example.com/Promo"],
    ["https://go.example.com/Promo/frühling/more"],
    ["https://go.example.com:8443/Promo/frühling"],
    ["https://go.example.com/Promo/frühIing"],
    ["https://example.com/Promo/frühling"],
    ["https://go.example.com/%zz"],
    ["nonsense"],
  ])("is false for %s", (destination) => {
    expect(isOwnShortUrl(destination, own, false)).toBe(false);
  });

  test.each([
    ["https://GO.example.com/Promo/fru%CC%88hling/?x=1", true],
    ["https://go.example.com/%EF%BC%B0romo/frühling", true],
    ["https://go.example.com/promo/frühling", false],
    ["https://go.example.com/Promo/FRÜHLING", false],
  ])("on a case-sensitive domain, for %s: %p", (destination, isOwn) => {
    expect(isOwnShortUrl(destination, own, true)).toBe(isOwn);
  });
});
