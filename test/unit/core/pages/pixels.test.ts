import { describe, expect, test } from "bun:test";
import { PIXEL_PROVIDERS, type PixelProvider } from "@/contract/links/link-pages";
import { pixelFault, tagOf } from "@/core/pages/pixels";

const UUID = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";

const SOUND: Record<PixelProvider, string[]> = {
  meta: ["1234567890123456", "1"],
  google: ["AW-123456789", "aw-1", "123456789", "G-ABC1234567", "g-abc1234567"],
  tiktok: ["C4A1B2C3D4E5F6G7H8I9"],
  linkedin: ["1234567"],
  x: ["o1a2b", "nuwjj"],
  pinterest: ["2612345678901"],
  snapchat: [UUID, UUID.toUpperCase()],
};

const UNSOUND: Record<PixelProvider, string[]> = {
  meta: ["12a", "1&ev=x", "1".repeat(21)],
  google: ["G-ABC", "GTM-ABC1234", "AW-", "AW-1/../../x", "G-ABC1234567&x=1", 'G-ABC123");alert(1)//'],
  tiktok: ["C4A1", '"];alert(1)//0000', "C4A1B2C3D4E5F6G7H8I9\n"],
  linkedin: ["-1", "1 2"],
  x: ["o1", "o1a2b&x=1", "o1-a2b"],
  pinterest: ["26x", "1\n"],
  snapchat: ["0b1c2d3e", `${UUID}");alert(1)//`, `${UUID}0`],
};

describe.each([...PIXEL_PROVIDERS])("%s", (provider) => {
  test.each(SOUND[provider])("accepts %s", (id) => {
    expect(pixelFault({ provider, id })).toBeNull();
    expect(tagOf({ provider, id })?.hosts.length).toBeGreaterThan(0);
  });

  test.each(["", " ", "<script>", ...UNSOUND[provider]])("refuses %j and makes no tag of it", (id) => {
    expect(pixelFault({ provider, id })).toStartWith("expected ");
    expect(tagOf({ provider, id })).toBeNull();
  });

  test.each(SOUND[provider])("with %s loads only from its listed hosts, over https", (id) => {
    const tag = tagOf({ provider, id });
    const urls = [...(tag?.images ?? []), ...(tag?.script ? [tag.script.url] : [])];
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(tag?.hosts).toContain(new URL(url).origin);
    for (const host of tag?.hosts ?? []) expect(host).toMatch(/^https:\/\/(?:\*\.)?[a-z.-]+$/);
  });
});
