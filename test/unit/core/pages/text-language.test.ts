import { describe, expect, test } from "bun:test";
import { textLanguage } from "@/core/pages/text-language";

describe("the language of a text", () => {
  test.each([
    ["en", "Northwind Coffee. Roasted by hand in the old harbour. The spring menu. Find a café near you"],
    ["de", "Bäckerei Huber. Brot und Semmeln aus dem Holzofen. Unsere Öffnungszeiten. Der Weg zu uns"],
    ["fr", "Atelier Martin. Des bijoux pour tous les jours. Notre boutique. Le journal"],
    ["es", "Taller Sol. Cerámica hecha a mano en el sur. Nuestra tienda. Los talleres"],
    ["pt", "Casa Azul. Comida do mar e vinhos da região. Nossa carta. O que há de novo"],
    ["it", "Forno Rossi. Il pane di una volta. La nostra storia. Gli orari del negozio"],
    ["nl", "Fietsen van Dijk. Alles voor je fiets. De winkel. Het laatste nieuws van ons"],
  ] as const)("%s is told by its small words", (language, text) => {
    expect(textLanguage(text)).toBe(language);
  });

  test.each([
    ["no text", ""],
    ["names", "Ada Lovelace. Instagram. Spotify"],
    ["one word that tells", "Donaudampfschifffahrtsgesellschaft der Alpen"],
    ["words of two languages alike", "de la"],
    ["another script", "مرحبا بكم في متجرنا"],
  ])("%s does not tell", (_, text) => {
    expect(textLanguage(text)).toBeUndefined();
  });

  test("only the beginning of a long text is looked at", () => {
    expect(textLanguage(`The best of it ${"der die das ".repeat(1_000)}`)).toBe("de");
    expect(textLanguage(`The best of it ${"x".repeat(500)} der die das und mit für`)).toBe("en");
  });
});
