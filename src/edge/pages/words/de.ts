import type { Words } from "../words";

const nothing = { title: "Hier ist nichts", text: "Diesen Link gibt es nicht" };
const password = { title: "Passwort nötig", text: "Dieser Link verlangt ein Passwort" };
const moment = "Einen Moment";
const ended = "Dieser Link ist abgelaufen";

export const de: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Unsicherer Link", text: "Dieser Link ist gesperrt, weil sein Ziel unsicher ist" },
    expired: { title: ended, text: "Die Zeit dieses Links ist vorbei" },
    max_clicks_reached: { title: ended, text: "Dieser Link wurde so oft aufgerufen, wie es vorgesehen war" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Bevor es weitergeht", text: "Bitte zuerst das Formular ausfüllen" },
    form_too_large: { title: "Zu viel Text", text: "Das Formular ist zu groß" },
    malformed: { title: "Kein Link", text: "Die Adresse ist fehlerhaft" },
    method: { title: "Nicht erlaubt", text: "Kurzlinks unterstützen nur GET und HEAD" },
    busy: { title: moment, text: "Gerade werden zu viele Passwörter geprüft; bitte gleich noch einmal versuchen" },
    probing: {
      title: moment,
      text: "Zu viele Versuche; bitte eine Minute warten",
    },
    attempts: {
      title: moment,
      text: "Zu viele Versuche; bitte in einer Minute noch einmal versuchen",
    },
    unavailable: { title: moment, text: "Der Link ist gerade nicht verfügbar; bitte gleich noch einmal versuchen" },
  },
  password: {
    label: "Passwort",
    ask: "Mit dem Passwort geht es weiter.",
    wrong: "Das Passwort ist falsch. Bitte noch einmal versuchen.",
  },
  goOn: "Weiter",
  lead: {
    title: "Bevor es weitergeht",
    button: "Weiter",
    required: "erforderlich",
    email: "E-Mail-Adresse",
    check: "Bitte die markierten Felder prüfen.",
    again: "Das hat lange gedauert. Bitte das Formular noch einmal absenden.",
    tooMany: "Von hier wurden zu viele Formulare gesendet. Bitte in einer Minute noch einmal versuchen.",
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
  cta: { title: "Bevor es weitergeht" },
  store: {
    title: "App laden",
    text: "Was Sie angetippt haben, öffnet sich in der App, sobald sie installiert ist.",
    button: "Zum App Store",
  },
  inApp: {
    title: "In der App öffnen",
    text: "Das öffnet sich am besten in der App.",
    button: "App öffnen",
    byBrowser: {
      text: "Öffnen Sie diese Seite in Ihrem Browser, um in der App fortzufahren.",
      button: "Im Browser öffnen",
      otherwise: "Falls nichts passiert, wählen Sie im Menü dieser App „Im Browser öffnen“.",
    },
  },
  passing: { title: moment, text: "Sie werden weitergeleitet" },
  help: "Hilfe",
};
