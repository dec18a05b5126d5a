import type { Words } from "../words";

export const it: Words = {
  dir: "ltr",
  fields: {
    name: "Il tuo nome",
    email: "Indirizzo email",
    password: "Password",
    newPassword: "Nuova password",
    organization: "Nome della tua organizzazione",
    code: "Codice",
  },
  hints: {
    password: "Da 8 a 128 caratteri",
    code: "Sei cifre dalla tua app di autenticazione, o un codice di recupero",
  },
  faults: {
    required: "Compila questo campo.",
    email: "Inserisci un indirizzo email, come nome@example.com.",
    emailTaken: "Esiste già un account con questo indirizzo email.",
    passwordLength: "Scegli da 8 a 128 caratteri.",
    passwordWeak: "Questa password è troppo facile da indovinare. Scegline un’altra.",
  },
  alerts: {
    check: "Controlla i campi segnalati.",
    tooMany: "Troppi tentativi. Riprova tra un minuto.",
    unavailable: "In questo momento non funziona. Riprova tra poco.",
    failed: "Qualcosa è andato storto da parte nostra. Riprova.",
    forbidden: "Non hai accesso. Chiedi a chi gestisce questo servizio.",
    foreign: "Questo modulo è stato inviato da un’altra pagina. Compilalo qui.",
  },
  home: {
    title: "Hai effettuato l’accesso",
    text: "La dashboard è in arrivo. Fino ad allora si fa tutto con l’API.",
    signedInAs: "Accesso effettuato come",
    organizations: "Le tue organizzazioni",
    signOut: "Esci",
  },
  signIn: {
    title: "Accedi",
    button: "Accedi",
    forgotten: "Password dimenticata?",
    register: "Crea un account",
    wrong: "L’indirizzo email o la password non è corretto.",
  },
  code: {
    title: "Secondo passaggio",
    text: "Il tuo account richiede anche un codice.",
    button: "Continua",
    wrong: "Il codice non è corretto, è già stato usato o è arrivato troppo tardi.",
    again: "Ricomincia",
  },
  register: {
    title: "Crea un account",
    button: "Crea l’account",
    signIn: "Ho già un account",
  },
  forgot: {
    title: "Password dimenticata?",
    text: "Ti invieremo un link per sceglierne una nuova.",
    button: "Invia il link",
    sent: {
      title: "Controlla la tua posta",
      text: "Se esiste un account con questo indirizzo, un link è in arrivo. Vale una volta, per un’ora.",
    },
    noMail: "Questo servizio non invia email. Chiedi a chi lo gestisce di reimpostare la tua password.",
  },
  reset: {
    title: "Scegli una nuova password",
    button: "Salva la password",
    over: "Questo link è già stato usato, è stato sostituito da uno più recente o ha più di un’ora.",
    again: "Invia un nuovo link",
  },
  invite: {
    title: "Invito a",
    text: "Ti unisci con questo indirizzo email:",
    register: "Crea l’account e unisciti",
    signIn: "Accedi e unisciti",
    hasAccount: "Ho già un account",
    hasNone: "Non ho ancora un account",
    over: {
      title: "Questo invito non è più valido",
      text: "È già stato usato, è stato ritirato o è scaduto. Chiedine uno nuovo.",
    },
  },
  done: {
    signedOut: "Sei uscito.",
    password: "La tua nuova password è salvata. Ora puoi accedere con quella.",
  },
  sso: {
    again: "Questo accesso è terminato. Ricomincia.",
    email: "Il provider della tua organizzazione non conferma un indirizzo email che possa accedere.",
    provider: "Il provider della tua organizzazione non ti ha fatto accedere.",
    full: "La tua organizzazione non ha posto per un altro membro.",
    failed: "L’accesso non è riuscito da parte nostra. Riprova.",
  },
  moment: { title: "Un momento", text: "Stai per essere reindirizzato.", goOn: "Continua" },
  missing: { title: "Qui non c’è nulla", text: "Questa pagina non esiste.", home: "Torna all’inizio" },
};
