import type { Words } from "../words";

const nothing = { title: "Hier is niets", text: "Deze link bestaat niet" };
const password = { title: "Wachtwoord nodig", text: "Deze link vraagt om een wachtwoord" };
const moment = "Een ogenblik";
const ended = "Deze link is niet meer actief";

export const nl: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Onveilige link", text: "Deze link is geblokkeerd omdat de bestemming onveilig is" },
    expired: { title: ended, text: "Deze link is verlopen" },
    max_clicks_reached: { title: ended, text: "Deze link heeft het maximale aantal bezoeken bereikt" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Voordat je verdergaat", text: "Vul eerst het formulier in om deze link te openen" },
    form_too_large: { title: "Te veel tekst", text: "Het formulier is te groot" },
    malformed: { title: "Geen link", text: "Het adres klopt niet" },
    method: { title: "Niet toegestaan", text: "Korte links ondersteunen alleen GET en HEAD" },
    busy: { title: moment, text: "Er worden te veel wachtwoorden tegelijk gecontroleerd; probeer het zo weer" },
    probing: {
      title: moment,
      text: "Te veel pogingen; wacht een minuut",
    },
    attempts: {
      title: moment,
      text: "Te veel pogingen; probeer het over een minuut opnieuw",
    },
    unavailable: { title: moment, text: "Deze link is nu niet beschikbaar; probeer het straks opnieuw" },
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
    check: "Kijk de gemarkeerde velden na.",
    again: "Dat duurde lang. Verstuur het formulier nog eens.",
    tooMany: "Er zijn hiervandaan te veel formulieren verstuurd. Probeer het over een minuut weer.",
    unavailable: "Je antwoorden kunnen nu niet worden bewaard. Probeer het zo weer.",
    faults: {
      required: "Vul dit in.",
      length: "Dit is te lang.",
      characters: "Dit bevat tekens die niet bewaard kunnen worden.",
      email: "Vul een e-mailadres in, zoals naam@example.com.",
      tel: "Vul een telefoonnummer in.",
      url: "Vul een webadres in dat begint met http:// of https://.",
      number: "Vul een getal in.",
      checkbox: "Vink dit vakje aan.",
    },
  },
  cta: { title: "Voordat je verdergaat" },
  store: {
    title: "Download de app",
    text: "Wat je hebt aangetikt, opent in de app zodra die is geïnstalleerd.",
    button: "Naar de App Store",
  },
  inApp: {
    title: "Openen in de app",
    text: "Dit opent het best in de app.",
    button: "App openen",
    byBrowser: {
      text: "Open deze pagina in je browser om verder te gaan in de app.",
      button: "Openen in de browser",
      otherwise: "Gebeurt er niets? Kies dan ‘Openen in browser’ in het menu van deze app.",
    },
  },
  passing: { title: moment, text: "Je wordt doorgestuurd" },
  help: "Hulp",
};
