import type { Words } from "../words";

const nothing = {
  title: "Seite nicht gefunden",
  text: "Unter dieser Adresse gibt es keinen Link",
  hint: "Prüfen Sie die Schreibweise, oder fragen Sie den Absender nach einem neuen.",
};
const password = { title: "Passwort erforderlich", text: "Dieser Link ist mit einem Passwort geschützt" };
const moment = "Einen Moment";

export const de: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Dieser Link ist gesperrt",
      text: "Sein Ziel könnte unsicher sein, deshalb öffnen wir ihn nicht",
      hint: "Wenn Sie etwas anderes erwartet haben, sagen Sie dem Absender Bescheid.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Er galt nur bis zu einem bestimmten Datum",
      hint: "Fragen Sie den Absender nach einem neuen.",
    },
    max_clicks_reached: {
      title: "Dieser Link ist nicht mehr verfügbar",
      text: "Die zulässige Zahl der Aufrufe ist erreicht",
      hint: "Fragen Sie den Absender nach einem neuen.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Bevor es weitergeht", text: "Füllen Sie das Formular aus, um diesen Link zu öffnen" },
    form_too_large: {
      title: "Zu viel Text",
      text: "Das Formular ist zu groß",
      hint: "Gehen Sie zurück und kürzen Sie Ihre Angaben.",
    },
    malformed: {
      title: "Das ist kein Link",
      text: "Die Adresse enthält etwas, das nicht hineingehört",
      hint: "Prüfen Sie die Schreibweise, oder fragen Sie den Absender nach einem neuen Link.",
    },
    method: { title: "Nicht erlaubt", text: "Kurzlinks unterstützen nur GET und HEAD, und POST für ihre Formulare" },
    busy: {
      title: moment,
      text: "Gerade werden zu viele Passwörter geprüft",
      hint: "Versuchen Sie es gleich noch einmal.",
    },
    probing: {
      title: moment,
      text: "Aus Ihrem Netz kamen zu viele Versuche",
      hint: "Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
    },
    attempts: {
      title: moment,
      text: "Das waren zu viele Versuche",
      hint: "Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
    },
    unavailable: {
      title: moment,
      text: "Der Link lässt sich gerade nicht öffnen",
      hint: "Versuchen Sie es gleich noch einmal.",
    },
  },
  password: {
    label: "Passwort",
    ask: "Geben Sie das Passwort ein, um fortzufahren.",
    wrong: "Das Passwort ist falsch. Bitte noch einmal versuchen.",
  },
  goOn: "Weiter",
  lead: {
    title: "Bevor es weitergeht",
    button: "Weiter",
    required: "erforderlich",
    email: "E-Mail-Adresse",
    check: "Bitte die markierten Felder prüfen.",
    again: "Das hat zu lange gedauert. Bitte das Formular noch einmal absenden.",
    tooMany: "Aus Ihrem Netz wurden zu viele Formulare gesendet. Bitte in einer Minute noch einmal versuchen.",
    unavailable: "Die Angaben lassen sich gerade nicht speichern. Bitte gleich noch einmal versuchen.",
    faults: {
      required: "Bitte ausfüllen.",
      length: "Das ist zu lang.",
      characters: "Das enthält Zeichen, die sich nicht speichern lassen.",
      email: "Bitte eine E-Mail-Adresse angeben, etwa name@example.com.",
      tel: "Bitte eine Telefonnummer angeben.",
      url: "Bitte eine Webadresse angeben, die mit http:// oder https:// beginnt.",
      number: "Bitte eine Zahl angeben.",
      checkbox: "Bitte ankreuzen.",
    },
  },
  cta: { title: "Bevor es weitergeht", onward: "Es geht weiter zu" },
  store: {
    title: "App laden",
    text: "Sie finden die App im App Store. Nach der Installation öffnet sie, was Sie angetippt haben",
    button: "App laden",
    web: "Im Browser fortfahren",
  },
  inApp: {
    title: "In der App öffnen",
    text: "Dieser Inhalt öffnet sich am besten in der App.",
    button: "App öffnen",
    byBrowser: {
      text: "Öffnen Sie diese Seite in Ihrem Browser, um in der App fortzufahren.",
      button: "Im Browser öffnen",
      otherwise: "Falls nichts passiert, wählen Sie im Menü dieser App „Im Browser öffnen“.",
      here: "Hier fortfahren",
    },
  },
  passing: { title: moment, text: "Sie werden weitergeleitet" },
  home: "Zur Startseite",
  help: "Hilfe",
  retry: "Noch einmal versuchen",
  back: "Zurück",
  owner: (host, name) => `${host} gehört zu ${name}.`,
  shared: (host) => `Links auf ${host} kommen von vielen verschiedenen Absendern.`,
};
