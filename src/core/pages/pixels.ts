/**
 * Retargeting pixels: a fixed list of providers, each with its own documented tag. A provider's image is used where
 * it documents one, since that needs no script. Otherwise a fixed script text starts the provider's script; only the
 * validated id is inserted into it.
 */
import type { PixelProvider, RetargetingPixel } from "@/contract/links/link-pages";

/** What fires a pixel, and what a page has to allow for it. */
export interface PixelTag {
  images: string[];
  script: { url: string; start: string } | null;
  /** Origins for the page's content security policy. */
  hosts: string[];
}

interface Provider {
  id: RegExp;
  /** Error message for an invalid id, which follows the field's name. */
  fault: string;
  tag(id: string): PixelTag;
}

const image = (urls: string[], ...redirectHosts: string[]): PixelTag => ({
  images: urls,
  script: null,
  hosts: [...urls.map((url) => new URL(url).origin), ...redirectHosts],
});

const PROVIDERS: Record<PixelProvider, Provider> = {
  meta: {
    id: /^\d{1,20}$/,
    fault: "expected the digits of a Meta pixel",
    tag: (id) => image([`https://www.facebook.com/tr?id=${id}&ev=PageView&noscript=1`]),
  },
  google: {
    id: /^(?:(?:AW-)?\d{1,12}|G-[A-Z0-9]{6,14})$/i,
    fault: "expected a Google Ads id like AW-123456789, or a Google Analytics id like G-ABC1234567",
    tag: (id) => (/^G-/i.test(id) ? googleAnalytics(id.toUpperCase()) : googleAds(id.replace(/^AW-/i, ""))),
  },
  tiktok: {
    id: /^[A-Z0-9]{10,32}$/i,
    fault: "expected the letters and digits of a TikTok pixel",
    tag: (id) => ({
      images: [],
      script: { url: `https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=${id}&lib=ttq`, start: tiktokStart(id) },
      hosts: ["https://analytics.tiktok.com"],
    }),
  },
  linkedin: {
    id: /^\d{1,12}$/,
    fault: "expected the digits of a LinkedIn partner id",
    tag: (id) => image([`https://px.ads.linkedin.com/collect/?pid=${id}&fmt=gif`], "https://www.linkedin.com"),
  },
  x: {
    id: /^[a-z0-9]{3,12}$/i,
    fault: "expected the letters and digits of an X pixel, like o1a2b",
    tag: (id) => {
      const query = `txn_id=${id}&p_id=Twitter&tw_sale_amount=0&tw_order_quantity=0`;
      return image([`https://t.co/i/adsct?${query}`, `https://analytics.twitter.com/i/adsct?${query}`]);
    },
  },
  pinterest: {
    id: /^\d{1,20}$/,
    fault: "expected the digits of a Pinterest tag",
    tag: (id) => image([`https://ct.pinterest.com/v3/?event=init&tid=${id}&noscript=1`]),
  },
  snapchat: {
    id: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
    fault: "expected the UUID of a Snap pixel",
    tag: (id) => ({
      images: [],
      script: { url: "https://sc-static.net/scevent.min.js", start: snapStart(id) },
      hosts: ["https://sc-static.net", "https://tr.snapchat.com"],
    }),
  },
};

/** Returns what is wrong with the pixel's id, or null if its format is the provider's. */
export function pixelFault({ provider, id }: RetargetingPixel): string | null {
  return PROVIDERS[provider].id.test(id) ? null : PROVIDERS[provider].fault;
}

/** Returns the pixel's tag, or null for an invalid id, which therefore never reaches a page. */
export function tagOf(pixel: RetargetingPixel): PixelTag | null {
  return pixelFault(pixel) === null ? PROVIDERS[pixel.provider].tag(pixel.id) : null;
}

function googleAds(number: string): PixelTag {
  const url = `https://googleads.g.doubleclick.net/pagead/viewthroughconversion/${number}/?guid=ON&script=0`;
  return image([url], "https://www.google.com");
}

/** Google documents no image for Analytics. Its script sends to a host in the visitor's region. */
const googleAnalytics = (id: string): PixelTag => ({
  images: [],
  script: { url: `https://www.googletagmanager.com/gtag/js?id=${id}`, start: googleStart(id) },
  hosts: [
    "https://www.googletagmanager.com",
    "https://*.googletagmanager.com",
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
  ],
});

/**
 * Calls made before the provider's script has loaded wait in a queue that the script empties. A page may have several
 * pixels of one provider, so a start adds to what another one has begun.
 */
const tiktokStart = (id: string): string => `window.TiktokAnalyticsObject="ttq";
var ttq=window.ttq=window.ttq||[],id="${id}";ttq._i=ttq._i||{};ttq._i[id]=[];ttq._t=ttq._t||{};ttq._t[id]=+new Date;
ttq._o=ttq._o||{};ttq._o[id]={};ttq._i[id]._u="https://analytics.tiktok.com/i18n/pixel/events.js";
ttq.push(["page"]);`;

const snapStart = (id: string): string => `var snaptr=window.snaptr=window.snaptr||function(){
snaptr.handleRequest?snaptr.handleRequest.apply(snaptr,arguments):snaptr.queue.push(arguments)};
snaptr.queue=snaptr.queue||[];snaptr("init","${id}");snaptr("track","PAGE_VIEW");`;

const googleStart = (id: string): string => `window.dataLayer=window.dataLayer||[];
function gtag(){dataLayer.push(arguments)}gtag("js",new Date);gtag("config","${id}");`;
