import { describe, expect, test } from "bun:test";
import { RuleConditions } from "@/contract/routing";
import { countryFault } from "@/core/codes/countries";
import { languageFault } from "@/core/codes/languages";
import { closestName } from "@/core/codes/meant";

describe("a country", () => {
  test.each(["DE", "de", "GB", "AQ", "XK", "SS", "BQ"])("%s is a code", (text) => {
    expect(countryFault(text)).toBeUndefined();
  });

  test.each([
    ["UK", "GB"],
    ["EL", "GR"],
    ["USA", "US"],
    ["deu", "DE"],
    ["Germany", "DE"],
    ["Deutschland", "DE"],
    ["Allemagne", "DE"],
    ["united kingdom", "GB"],
    [" England ", "GB"],
    ["Türkiye", "TR"],
    ["Turkey", "TR"],
    ["Côte d’Ivoire", "CI"],
  ])("%s gets the suggestion %s", (text, code) => {
    expect(countryFault(text)).toEndWith(`did you mean ${code}?`);
  });

  test.each(["", "ZZ", "EU", "XX", "Atlantis", "D", "__proto__", "constructor"])(
    "%p is invalid and gets no suggestion",
    (text) => {
      expect(countryFault(text)).toBe("expected an ISO 3166-1 alpha-2 country code, like DE");
    },
  );
});

describe("a language", () => {
  test.each(["en", "EN-us", "en_US", "zh-Hans", "zh-CN", "sr-Latn-RS", "es-419", "nb", "tl", "cmn", "de-CH-1996"])(
    "%s is a tag",
    (text) => {
      expect(languageFault(text)).toBeUndefined();
    },
  );

  test.each([
    ["english", "en"],
    ["Deutsch", "de"],
    ["eng", "en"],
    ["iw", "he"],
    ["jp", "ja"],
    ["cn", "zh"],
    ["en-UK", "en-GB"],
  ])("%s gets the suggestion %s", (text, tag) => {
    expect(languageFault(text)).toEndWith(`did you mean ${tag}?`);
  });

  test.each(["", "xx", "*", "klingonish", "en-", "qq-XX", "de-ZZ", "__proto__"])(
    "%p is invalid and gets no suggestion",
    (text) => {
      expect(languageFault(text)).toBe("expected a BCP 47 language tag, like en or en-GB");
    },
  );
});

describe("a condition name", () => {
  const conditions = Object.keys(RuleConditions.properties);
  test.each([
    ["platforms", "platform"],
    ["Platform", "platform"],
    ["os", "platform"],
    ["country", "countries"],
    ["contries", "countries"],
    ["city", "cities"],
    ["lang", "languages"],
    ["device", "deviceTypes"],
    ["vendor", "deviceVendors"],
    ["min_os_version", "minOsVersion"],
    ["weekdays", "daysOfWeek"],
  ])("%s means %s", (name, meant) => {
    expect(closestName(name, conditions)).toBe(meant);
  });

  test.each(["", "foo", "_id", "isp", "carrier", "__proto__", "toString"])("%p means no condition", (name) => {
    expect(closestName(name, conditions)).toBeUndefined();
  });
});
