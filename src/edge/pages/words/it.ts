import type { Words } from "../words";

const nothing = {
  title: "Pagina non trovata",
  text: "A questo indirizzo non c’è nessun link",
  hint: "Controlla che sia scritto bene o chiedine uno nuovo a chi te l’ha inviato.",
};
const password = { title: "Serve una password", text: "Questo link è protetto da una password" };
const moment = "Un momento";

export const it: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Questo link è bloccato",
      text: "La destinazione potrebbe non essere sicura, perciò non lo apriamo",
      hint: "Se ti aspettavi altro, avvisa chi te l’ha inviato.",
    },
    expired: {
      title: "Questo link è scaduto",
      text: "Era valido solo fino a una certa data",
      hint: "Chiedine uno nuovo a chi te l’ha inviato.",
    },
    max_clicks_reached: {
      title: "Questo link non è più disponibile",
      text: "Si poteva aprire solo un certo numero di volte",
      hint: "Chiedine uno nuovo a chi te l’ha inviato.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Prima di continuare", text: "Compila il modulo per aprire questo link" },
    form_too_large: {
      title: "Troppo testo",
      text: "Il modulo è troppo grande",
      hint: "Torna indietro e accorcia le risposte.",
    },
    malformed: {
      title: "Questo non è un link",
      text: "L’indirizzo contiene qualcosa che non dovrebbe esserci",
      hint: "Controlla che sia scritto bene o chiedine uno nuovo a chi te l’ha inviato.",
    },
    method: { title: "Non consentito", text: "I link brevi accettano solo GET e HEAD, e POST per i loro moduli" },
    busy: { title: moment, text: "Si stanno verificando troppe password", hint: "Riprova tra un momento." },
    probing: {
      title: moment,
      text: "Dalla tua rete sono arrivati troppi tentativi",
      hint: "Attendi un minuto e riprova.",
    },
    attempts: { title: moment, text: "Ci sono stati troppi tentativi", hint: "Attendi un minuto e riprova." },
    unavailable: {
      title: moment,
      text: "In questo momento il link non si può aprire",
      hint: "Riprova tra un momento.",
    },
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
    again: "È passato troppo tempo. Invia di nuovo il modulo.",
    tooMany: "Dalla tua rete sono stati inviati troppi moduli. Riprova tra un minuto.",
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
  cta: { title: "Prima di continuare", onward: "Stai per visitare" },
  store: {
    title: "Scarica l’app",
    text: "La trovi sull’App Store. Una volta installata, apre ciò che hai toccato",
    button: "Scarica l’app",
    web: "Continua nel browser",
  },
  inApp: {
    title: "Apri nell’app",
    text: "Questo contenuto si apre meglio nell’app.",
    button: "Apri l’app",
    byBrowser: {
      text: "Apri questa pagina nel tuo browser per continuare nell’app.",
      button: "Apri nel browser",
      otherwise: "Se non succede nulla, scegli «Apri nel browser» nel menu di questa app.",
      here: "Continua qui",
    },
  },
  passing: { title: moment, text: "Reindirizzamento in corso" },
  home: "Vai alla pagina iniziale",
  help: "Aiuto",
  retry: "Riprova",
  back: "Indietro",
  owner: (host, name) => `${host} appartiene a ${name}.`,
  shared: (host) => `I link su ${host} arrivano da molti mittenti diversi.`,
};
