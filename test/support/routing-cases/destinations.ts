/** How a destination is changed on its way to the `Location` header. */
import type { CaseDraft } from "./shape";

const to = (destinationUrl: string): CaseDraft["expect"] => ({ destinationUrl });
const url = (defaultUrl: string, rest: CaseDraft["link"] = {}): CaseDraft["link"] => ({ defaultUrl, ...rest });
const page = "https://shop.example.com/page";

export const destinationCases: CaseDraft[] = [
  {
    name: "a bare host gets its slash",
    link: url("https://shop.example.com"),
    expect: to("https://shop.example.com/"),
  },
  {
    name: "a host in capitals is lowered, its path is not",
    link: url("HTTPS://SHOP.Example.COM/Path"),
    expect: to("https://shop.example.com/Path"),
  },
  {
    name: "a host with umlauts becomes punycode",
    link: url("https://bücher.example/"),
    expect: to("https://xn--bcher-kva.example/"),
  },
  {
    name: "a path in Japanese is escaped",
    link: url("https://shop.example.com/東京"),
    expect: to("https://shop.example.com/%E6%9D%B1%E4%BA%AC"),
  },
  {
    name: "an emoji in a query is escaped",
    link: url("https://shop.example.com/?q=🎉"),
    expect: to("https://shop.example.com/?q=%F0%9F%8E%89"),
  },
  { name: "a fragment survives", link: url(`${page}#part`), expect: to(`${page}#part`) },
  {
    name: "a destination's own spelling is left alone",
    link: url(`${page}?sig=a+b%20c~d&x=%41`),
    expect: to(`${page}?sig=a+b%20c~d&x=%41`),
  },
  {
    name: "UTM is added in its usual order",
    link: url(page, { utm: { content: "e", term: "d", campaign: "c", medium: "b", source: "a" } }),
    expect: to(`${page}?utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e`),
  },
  {
    name: "UTM goes before the fragment",
    link: url(`${page}#part`, { utm: { source: "mail" } }),
    expect: to(`${page}?utm_source=mail#part`),
  },
  {
    name: "UTM never overwrites the destination's own",
    link: url(`${page}?utm_source=own`, { utm: { source: "mail", medium: "email" } }),
    expect: to(`${page}?utm_source=own&utm_medium=email`),
  },
  {
    name: "an escaped key is the same key",
    link: url(`${page}?utm%5Fsource=own`, { utm: { source: "mail" } }),
    expect: to(`${page}?utm%5Fsource=own`),
  },
  {
    name: "empty UTM is not added",
    link: url(page, { utm: { source: "", medium: "email" } }),
    expect: to(`${page}?utm_medium=email`),
  },
  {
    name: "UTM in any script is escaped",
    link: url(page, { utm: { campaign: "été & hiver=100%" } }),
    expect: to(`${page}?utm_campaign=%C3%A9t%C3%A9%20%26%20hiver%3D100%25`),
  },
  {
    name: "line breaks in UTM are escaped",
    link: url(page, { utm: { campaign: "a\r\nSet-Cookie: b" } }),
    expect: to(`${page}?utm_campaign=a%0D%0ASet-Cookie%3A%20b`),
  },
  {
    name: "a destination that ends in a question mark is continued",
    link: url(`${page}?`, { utm: { source: "mail" } }),
    expect: to(`${page}?utm_source=mail`),
  },
  {
    name: "a question mark in a fragment is no query",
    link: url(`${page}#/route?x=1`, { utm: { source: "mail" } }),
    expect: to(`${page}?utm_source=mail#/route?x=1`),
  },
  {
    name: "marketing attribution is added when asked for",
    link: url(page, {
      marketing: { referralCode: "r", affiliateId: "a", couponCode: "c", promoCode: "p", appendToDestination: true },
    }),
    expect: to(`${page}?ref=r&aff=a&coupon=c&promo=p`),
  },
  {
    name: "marketing attribution is kept back otherwise",
    link: url(page, { marketing: { referralCode: "r", affiliateId: "a" } }),
    expect: to(page),
  },
  {
    name: "marketing attribution never overwrites",
    link: url(`${page}?ref=own`, { marketing: { referralCode: "r", promoCode: "p", appendToDestination: true } }),
    expect: to(`${page}?ref=own&promo=p`),
  },
  {
    name: "UTM goes before marketing attribution",
    link: url(page, { utm: { source: "mail" }, marketing: { couponCode: "SAVE 5", appendToDestination: true } }),
    expect: to(`${page}?utm_source=mail&coupon=SAVE%205`),
  },
  {
    name: "a rule's destination takes UTM along",
    link: { rules: [{ destinationUrl: `${page}?x=1` }], utm: { source: "mail" } },
    expect: { kind: "rule", ruleIndex: 0, destinationUrl: `${page}?x=1&utm_source=mail` },
  },
  {
    name: "a visitor's query is passed on",
    link: url(page),
    visitor: { query: "a=1&b=2" },
    expect: to(`${page}?a=1&b=2`),
  },
  {
    name: "a visitor's query goes before the fragment",
    link: url(`${page}?x=1#part`),
    visitor: { query: "a=1" },
    expect: to(`${page}?x=1&a=1#part`),
  },
  {
    name: "a visitor's parameter wins over the destination's own",
    link: url(`${page}?a=own&b=own`),
    visitor: { query: "a=visitor" },
    expect: to(`${page}?b=own&a=visitor`),
  },
  {
    name: "a visitor's parameter displaces all of its key",
    link: url(`${page}?a=1&b=2&a=3`),
    visitor: { query: "a=4" },
    expect: to(`${page}?b=2&a=4`),
  },
  {
    name: "a visitor's repeated parameter is passed on whole",
    link: url(`${page}?a=own`),
    visitor: { query: "a=1&a=2" },
    expect: to(`${page}?a=1&a=2`),
  },
  {
    name: "a visitor's UTM wins over the link's",
    link: url(page, { utm: { source: "mail", medium: "email" } }),
    visitor: { query: "utm_source=visitor" },
    expect: to(`${page}?utm_medium=email&utm_source=visitor`),
  },
  {
    name: "a visitor's referral wins over the link's",
    link: url(page, { marketing: { referralCode: "r", appendToDestination: true } }),
    visitor: { query: "ref=visitor" },
    expect: to(`${page}?ref=visitor`),
  },
  {
    name: "the password is not passed on",
    link: url(page),
    visitor: { query: "pw=secret&a=1&password=secret" },
    expect: to(`${page}?a=1`),
  },
  {
    name: "the password is not passed on however it is written",
    link: url(page),
    visitor: { query: "%70w=secret&PASSWORD=secret&p%77" },
    expect: to(page),
  },
  {
    name: "our own parameters are not passed on",
    link: url(page),
    visitor: { query: "match_token=x&wm_cid=y&a=1" },
    expect: to(`${page}?a=1`),
  },
  {
    name: "the destination keeps its own password parameter",
    link: url(`${page}?pw=theirs`),
    visitor: { query: "pw=secret" },
    expect: to(`${page}?pw=theirs`),
  },
  {
    name: "malformed escapes are passed on as they are",
    link: url(page),
    visitor: { query: "a=%zz&%=%&b=%E4" },
    expect: to(`${page}?a=%zz&%=%&b=%E4`),
  },
  { name: "empty parameters are dropped", link: url(page), visitor: { query: "&&a=1&&" }, expect: to(`${page}?a=1`) },
  {
    name: "an empty query adds nothing",
    link: url(`${page}?x=1#part`),
    visitor: { query: "" },
    expect: to(`${page}?x=1#part`),
  },
  {
    name: "a parameter without a value stays without",
    link: url(page),
    visitor: { query: "flag&a=" },
    expect: to(`${page}?flag&a=`),
  },
  { name: "plus signs are left alone", link: url(page), visitor: { query: "q=a+b" }, expect: to(`${page}?q=a+b`) },
  {
    name: "a visitor's raw letters are escaped",
    link: url(page),
    visitor: { query: "q=ü\"<>' #x" },
    expect: to(`${page}?q=%C3%BC%22%3C%3E%27%20%23x`),
  },
];
