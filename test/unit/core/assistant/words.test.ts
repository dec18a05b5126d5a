/** How a customer's words are understood: goals, channels, tones, lines. */
import { describe, expect, test } from "bun:test";
import { ODD_TEXTS } from "@test/support/hostile/values";
import { CHANNELS, channelOfHost, channelOfUtm, requestedChannel } from "@/core/assistant/channels";
import { copyOf, named, TONES, toneOf } from "@/core/assistant/copy";
import { INTENTS, intentOf } from "@/core/assistant/intents";
import { deadlineOf, productOf } from "@/core/assistant/subject";
import { cut, lengthOf, singleLine } from "@/core/assistant/words";

describe("a goal", () => {
  test.each([
    ["More installs of our app", "installs", false],
    ["500 downloads by March", "installs", false],
    ["Retain the users of our app", "retention", false],
    ["Get more newsletter sign-ups", "leads", false],
    ["Sign ups for the demo", "leads", false],
    ["Sell the spring collection", "sales", false],
    ["In order to be seen: reach", "awareness", false],
    ["Get readers to join our webinar", "engagement", false],
    ["BRAND AWARENESS", "awareness", false],
    ["Mehr Reichweite", "awareness", true],
    ["🦊", "awareness", true],
  ] as const)("%s is understood as %s", (goal, name, isAssumed) => {
    const understood = intentOf(goal);
    expect([understood.intent.name, understood.isAssumed]).toEqual([name, isAssumed]);
  });

  test("every intent's default channels exist", () => {
    const names = CHANNELS.map(({ name }) => name);
    expect(INTENTS.flatMap(({ defaults }) => defaults).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("a channel", () => {
  test.each([
    ["Instagram", "Instagram", "social"],
    ["our Instagram ads", "Instagram", "paid"],
    ["E-Mail", "Email", "email"],
    ["the weekly newsletter", "Email", "email"],
    ["Google Ads", "Search", "cpc"],
    ["printed flyers", "QR codes and print", "qr"],
    ["  local\nradio ", "local radio", "local radio"],
  ])("%s is understood as %s, %s", (asked, name, medium) => {
    expect(requestedChannel(asked)).toMatchObject({ name, medium });
  });

  test.each(["", " \n\t ", "\u202e\u200b"])("%j names none", (asked) => {
    expect(requestedChannel(asked)).toBeUndefined();
  });

  test.each([
    [{ source: "newsletter", medium: "email" }, "Email"],
    [{ source: "facebook", medium: "paid-social" }, "Facebook"],
    [{ source: "acme-weekly", medium: "email" }, "Email"],
    [{ source: "google", medium: "cpc" }, "Search"],
    [{ source: "acme" }, "none"],
    [{}, "none"],
  ])("%j belongs to %s", (utm, name) => {
    expect(channelOfUtm(utm)?.name ?? "none").toBe(name);
  });

  test.each([
    ["l.instagram.com", "Instagram"],
    ["T.CO", "X"],
    ["www.google.co.uk", "Search"],
    ["docs.google.com", "none"],
    ["mail.google.com", "Email"],
    ["x.com", "X"],
    ["xx.com", "none"],
    ["notinstagram.com", "none"],
    ["instagram.com.evil.example", "none"],
    ["news.example.com", "none"],
  ])("visitors from %s come through %s", (host, name) => {
    expect(channelOfHost(host)?.name ?? "none").toBe(name);
  });
});

describe("copy", () => {
  const question = { tone: undefined, audience: "", name: "Acme", product: "", deadline: "", lineMax: 125 };
  const acme = { name: "Acme", product: "" };
  const all = INTENTS.flatMap((intent) =>
    [undefined, ...TONES].flatMap((tone) => CHANNELS.map((channel) => ({ intent, tone, channel }))),
  );

  test("for every intent, tone and channel has lines, all of which fit, whatever the name and product", () => {
    for (const { intent, tone, channel } of all) {
      for (const name of ["A", "Acme", "ß".repeat(300), "🦊".repeat(50)]) {
        const { lineMax } = channel;
        for (const product of ["", "Espresso machines", "ß".repeat(300)]) {
          const asked = { intent, tone, name, product, lineMax, deadline: "before Christmas" };
          const lines = copyOf({ ...asked, audience: "runners in Germany" });
          expect(lines.length).toBeGreaterThan(0);
          expect(lines.filter((line) => lengthOf(named(line, { name, product })) > lineMax)).toEqual([]);
        }
      }
    }
  });

  test.each([
    ["plain and clear", "plain", "This is Acme. Get the app."],
    ["Warm", "friendly", "Hello from Acme! When you have a minute, get the app."],
    ["formal", "professional", "Acme invites you: please get the app."],
    ["a bit cheeky", "playful", "Psst, Acme here. You know what to do: get the app!"],
    ["urgent", "urgent", "Why wait? Get the app now, with Acme."],
  ])("asked to be %s is %s", (text, name, line) => {
    const tone = toneOf(text);
    expect(tone?.name).toBe(name);
    const [first = ""] = copyOf({ ...question, intent: intentOf("installs").intent, tone });
    expect(named(first, acme)).toBe(line);
  });

  test("addresses the audience, unless that is too long or contains a placeholder", () => {
    const intent = intentOf("installs").intent;
    expect(copyOf({ ...question, intent, audience: "runners" })[0]).toBe("{name} to runners: get the app.");
    for (const audience of ["a".repeat(61), "{you}"]) {
      expect(copyOf({ ...question, intent, audience }).join()).not.toContain(audience);
    }
  });

  test("has names inserted unchanged, whatever they contain", () => {
    expect(named("{name}, {name}", { name: "$& {name}", product: "" })).toBe("$& {name}, $& {name}");
    expect(named("{product} by {name}", { name: "{product}", product: "{name}" })).toBe("{name} by {product}");
  });

  test.each([
    ["plain", "Espresso machines from Acme: visit the shop before Christmas."],
    [
      "friendly",
      "Hello from Acme! Have you seen Espresso machines yet? When you have a minute, visit the shop before Christmas.",
    ],
    ["urgent", "Espresso machines from Acme: why wait? Visit the shop now, before Christmas."],
  ])("in a %s tone names the product and the deadline of the goal", (tone, line) => {
    const names = { name: "Acme", product: "Espresso machines" };
    const asked = { ...question, ...names, intent: intentOf("sales").intent, deadline: "before Christmas" };
    expect(named(copyOf({ ...asked, tone: toneOf(tone) })[0] ?? "", names)).toBe(line);
  });
});

describe("the product and deadline of a campaign", () => {
  test.each<[string | undefined, string | null, string, string]>([
    ["Spring sale", "https://shop.example.com/x", "More sales", "Spring sale"],
    [undefined, "https://shop.example.com/en/running-shoes_2026.html?a=b", "Sell more", "Running shoes"],
    [undefined, "https://shop.example.com/products/18834421/espresso-machines/", "Sales", "Espresso machines"],
    [
      undefined,
      "https://shop.example.com/p/0198f2b06b5e7c3a",
      "Sell more espresso machines before May",
      "Espresso machines",
    ],
    [undefined, "https://www.example.com/app", "More installs", "Example.com"],
    [undefined, "https://www.example.com/%E0%A4%A", "More installs", "Example.com"],
    [undefined, null, "Sell 200 winter jackets by Christmas", "Winter jackets"],
    [undefined, null, "More sign-ups for the spring webinar this month", "Spring webinar"],
    [undefined, null, "We want to launch our running club", "Running club"],
    [undefined, null, "More app installs before spring", ""],
    [undefined, null, "Increase newsletter sign-ups", ""],
    [undefined, null, "Be seen", ""],
    ["{name}", null, "More installs", ""],
  ])("%p, %p and %p: %p", (title, url, goal, product) => expect(productOf(title, url, goal)).toBe(product));

  test.each([
    ["More installs before Spring", "before Spring"],
    ["Sell jackets by the end of the month", "by the end of the month"],
    ["Get attention for Black Friday!", "for Black Friday"],
    ["More people this weekend", "this weekend"],
    ["Be known by 2027", ""],
    ["More installs", ""],
  ])("%s is due %p", (goal, deadline) => expect(deadlineOf(goal)).toBe(deadline));
});

describe("a line", () => {
  test.each(ODD_TEXTS.map(({ name, value }) => [name, String(value)]))(
    "made of %s is a single line within its maximum length",
    (_, value) => {
      const line = singleLine(value, 12);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      expect(lengthOf(line)).toBeLessThanOrEqual(12);
      expect(line.isWellFormed()).toBe(true);
    },
  );

  test.each([
    ["short", 10, "short"],
    ["several words here", 14, "several words…"],
    ["a".repeat(20), 5, "aaaa…"],
    ["🦊🦊🦊🦊", 3, "🦊🦊…"],
  ])("%s cut to %i is %s", (text, lengthMax, expected) => {
    expect(cut(text, lengthMax)).toBe(expected);
  });
});
