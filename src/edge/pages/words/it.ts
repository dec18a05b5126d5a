import type { Words } from "../words";

const nothing = { title: "Qui non c’è nulla", text: "Questo link non esiste" };
const password = { title: "Serve una password", text: "Questo link chiede una password" };
const moment = "Un momento";
const ended = "Questo link non è più attivo";

export const it: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Link non sicuro", text: "Questo link è bloccato perché la sua destinazione non è sicura" },
    expired: { title: ended, text: "Questo link è scaduto" },
    max_clicks_reached: { title: ended, text: "Questo link ha raggiunto il limite di visite" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Prima di continuare", text: "Compila prima il modulo per aprire questo link" },
    form_too_large: { title: "Troppo testo", text: "Il modulo è troppo grande" },
    malformed: { title: "Non è un link", text: "L’indirizzo non è corretto" },
    method: { title: "Non consentito", text: "I link brevi accettano solo GET e HEAD" },
    busy: { title: moment, text: "Si stanno verificando troppe password insieme; riprova tra un momento" },
    probing: { title: moment, text: "Troppi tentativi; attendi un minuto" },
    attempts: { title: moment, text: "Troppi tentativi; riprova tra un minuto" },
    unavailable: { title: moment, text: "Questo link non è al momento disponibile; riprova tra poco" },
  },
  password: {
    label: "Password",
    ask: "Inserisci la password per continuare.",
    wrong: "La password è sbagliata. Riprova.",
  },
  goOn: "Continua",
  lead: {
    title: "Prima di continuare",
    button: "Continua",
    required: "obbligatorio",
    email: "Indirizzo email",
    check: "Controlla i campi segnalati.",
    again: "È passato molto tempo. Invia di nuovo il modulo.",
    tooMany: "Da qui sono stati inviati troppi moduli. Riprova tra un minuto.",
    unavailable: "Le tue risposte non possono essere salvate in questo momento. Riprova tra poco.",
    faults: {
      required: "Compila questo campo.",
      length: "Questo testo è troppo lungo.",
      characters: "Questo testo contiene caratteri che non possono essere salvati.",
      email: "Inserisci un indirizzo email, come nome@example.com.",
      tel: "Inserisci un numero di telefono.",
      url: "Inserisci un indirizzo web che inizi con http:// o https://.",
      number: "Inserisci un numero.",
      checkbox: "Spunta questa casella.",
    },
  },
  cta: { title: "Prima di continuare" },
  store: {
    title: "Scarica l’app",
    text: "Ciò che hai toccato si aprirà nell’app una volta installata.",
    button: "Vai all’App Store",
  },
  inApp: {
    title: "Apri nell’app",
    text: "Si apre meglio nell’app.",
    button: "Apri l’app",
    byBrowser: {
      text: "Apri questa pagina nel tuo browser per continuare nell’app.",
      button: "Apri nel browser",
      otherwise: "Se non succede nulla, scegli «Apri nel browser» nel menu di questa app.",
    },
  },
  passing: { title: moment, text: "Reindirizzamento in corso" },
  help: "Aiuto",
};
