import type { Words } from "../words";

const nothing = {
  title: "Pagina niet gevonden",
  text: "Op dit adres staat geen link",
  hint: "Controleer of je het goed hebt getypt, of vraag de afzender om een nieuwe.",
};
const password = { title: "Wachtwoord vereist", text: "Deze link is met een wachtwoord beveiligd" };
const moment = "Een ogenblik";

export const nl: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Deze link is geblokkeerd",
      text: "De bestemming is mogelijk onveilig, daarom openen we hem niet",
      hint: "Verwachtte je iets anders? Laat het de afzender weten.",
    },
    expired: {
      title: "Deze link is verlopen",
      text: "Hij was maar tot een bepaalde datum geldig",
      hint: "Vraag de afzender om een nieuwe.",
    },
    max_clicks_reached: {
      title: "Deze link is niet meer beschikbaar",
      text: "Hij kon maar een beperkt aantal keren worden geopend",
      hint: "Vraag de afzender om een nieuwe.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Voordat je verdergaat", text: "Vul het formulier in om deze link te openen" },
    form_too_large: {
      title: "Te veel tekst",
      text: "Het formulier is te groot",
      hint: "Ga terug en maak je antwoorden korter.",
    },
    malformed: {
      title: "Dit is geen link",
      text: "In het adres staat iets wat er niet hoort",
      hint: "Controleer of je het goed hebt getypt, of vraag de afzender om een nieuwe link.",
    },
    method: {
      title: "Niet toegestaan",
      text: "Korte links ondersteunen alleen GET en HEAD, en POST voor hun formulieren",
    },
    busy: { title: moment, text: "Er worden nu te veel wachtwoorden gecontroleerd", hint: "Probeer het zo nog eens." },
    probing: {
      title: moment,
      text: "Er kwamen te veel pogingen vanaf je netwerk",
      hint: "Wacht een minuut en probeer het dan opnieuw.",
    },
    attempts: {
      title: moment,
      text: "Er zijn te veel pogingen gedaan",
      hint: "Wacht een minuut en probeer het dan opnieuw.",
    },
    unavailable: { title: moment, text: "Deze link kan nu niet worden geopend", hint: "Probeer het zo nog eens." },
  },
  password: {
    label: "Wachtwoord",
    ask: "Vul het wachtwoord in om verder te gaan.",
    wrong: "Het wachtwoord is onjuist. Probeer het opnieuw.",
  },
  goOn: "Verder",
  lead: {
    title: "Voordat je verdergaat",
    button: "Verder",
    required: "verplicht",
    email: "E-mailadres",
    check: "Controleer de gemarkeerde velden.",
    again: "Dat duurde te lang. Verstuur het formulier nog eens.",
    tooMany: "Er zijn te veel formulieren vanaf je netwerk verstuurd. Probeer het over een minuut weer.",
    unavailable: "Je antwoorden kunnen nu niet worden opgeslagen. Probeer het zo weer.",
    faults: {
      required: "Vul dit in.",
      length: "Dit is te lang.",
      characters: "Dit bevat tekens die niet kunnen worden opgeslagen.",
      email: "Vul een e-mailadres in, zoals naam@example.com.",
      tel: "Vul een telefoonnummer in.",
      url: "Vul een webadres in dat begint met http:// of https://.",
      number: "Vul een getal in.",
      checkbox: "Vink dit vakje aan.",
    },
  },
  cta: { title: "Voordat je verdergaat", onward: "Je bent op weg naar" },
  store: {
    title: "Download de app",
    text: "Je vindt hem in de App Store. Na de installatie opent hij wat je hebt aangetikt",
    button: "Download de app",
    web: "Verder in de browser",
  },
  inApp: {
    title: "Openen in de app",
    text: "Dit kun je het best in de app openen.",
    button: "App openen",
    byBrowser: {
      text: "Open deze pagina in je browser om verder te gaan in de app.",
      button: "Openen in de browser",
      otherwise: "Gebeurt er niets? Kies dan ‘Openen in browser’ in het menu van deze app.",
      here: "Hier verdergaan",
    },
  },
  passing: { title: moment, text: "Je wordt doorgestuurd" },
  home: "Naar de startpagina",
  help: "Hulp",
  retry: "Opnieuw proberen",
  back: "Terug",
  owner: (host, name) => `${host} hoort bij ${name}.`,
  shared: (host) => `Links op ${host} komen van veel verschillende afzenders.`,
};
