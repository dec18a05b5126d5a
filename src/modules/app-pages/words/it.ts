import type { AccountWords } from "../words";

export const accountsIt: AccountWords = {
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
    tooMany: (wait) => `Troppi tentativi. Riprova ${wait}.`,
    unavailable: "In questo momento non è disponibile. Riprova tra poco.",
    failed: "Qualcosa è andato storto da parte nostra. Riprova.",
    forbidden: "Non hai accesso. Chiedi a chi gestisce questo servizio.",
    foreign: "Questo modulo è stato inviato da un’altra pagina. Compilalo qui.",
  },
  home: {
    needsScript: "La dashboard richiede JavaScript.",
    signedInAs: "Accesso effettuato come",
    signOut: "Esci",
  },
  signIn: {
    title: "Accedi",
    button: "Accedi",
    sso: "Accedi con il single sign-on",
    ssoOf: "Accedi tramite la tua organizzazione",
    forgotten: "Password dimenticata?",
    register: "Crea un account",
    wrong: "L’indirizzo email o la password non sono corretti.",
  },
  ssoStart: {
    title: "Single sign-on",
    organization: "Nome breve della tua organizzazione",
    hint: "Si trova nell’indirizzo della tua dashboard: …/app/o/nome-breve",
    button: "Continua",
    password: "Accedi con una password",
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
    refused:
      "Qui non puoi creare un account di tua iniziativa. Chiedi un invito alla tua organizzazione, oppure rivolgiti a chi gestisce questo servizio.",
  },
  forgot: {
    title: "Password dimenticata?",
    text: "Ti invieremo un link per sceglierne una nuova.",
    button: "Invia il link",
    sent: {
      title: "Controlla la tua posta",
      text: "Se esiste un account con questo indirizzo, un link è in arrivo. Si può usare una volta sola, entro un’ora.",
    },
    noMail: "Questo servizio non invia email. Chiedi a chi lo gestisce di reimpostare la tua password.",
  },
  reset: {
    title: "Scegli una nuova password",
    button: "Salva la password",
    over: "Questo link è già stato usato, è stato sostituito da uno più recente o ha più di un’ora.",
    again: "Invia un nuovo link",
  },
  verify: {
    title: "Conferma il tuo indirizzo email",
    text: "Conferma solo se hai creato tu questo account. Chi l’ha creato lo conserva.",
    button: "Conferma",
    notMe: "Non l’ho creato io: riprendi l’indirizzo con una nuova password",
    done: { title: "Il tuo indirizzo è confermato", text: "Puoi continuare." },
    over: {
      title: "Questo link non è più valido",
      text: "Ha più di una settimana, o l’account non esiste più. Accedi per chiederne uno nuovo.",
    },
    ask: "Conferma il tuo indirizzo email: ti abbiamo inviato un link. Fino ad allora non puoi invitare nessuno.",
    again: "Invia di nuovo il link",
    sent: { title: "Controlla la tua posta", text: "Un nuovo link è in arrivo. È valido una settimana." },
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
  older: {
    title: "Questo link viene da una vecchia email",
    reset: "Per la tua sicurezza, i link come questo non servono più a impostare una password. Chiedi un nuovo link.",
    invite: "Per la tua sicurezza, i link come questo non servono più ad accettare un invito. Chiedi un nuovo invito.",
  },
  done: {
    signedOut: "Hai effettuato la disconnessione.",
    password: "La tua nuova password è stata salvata. Ora puoi accedere con quella.",
  },
  sso: {
    unknown: "Questo indirizzo non porta a un’organizzazione con accesso unico. Controllalo.",
    again: "Questo accesso è scaduto. Ricomincia.",
    email:
      "Il provider di identità della tua organizzazione non conferma nessun indirizzo email che possa accedere qui.",
    unconfirmed:
      "Un account con il tuo indirizzo email non è ancora confermato. Confermalo con il link che abbiamo inviato a quell’indirizzo, oppure reimposta la sua password.",
    closed: "Qui gli account li crea chi gestisce questo servizio. Chiedigliene uno.",
    provider: "Il provider di identità della tua organizzazione non ti ha fatto accedere.",
    full: "La tua organizzazione non può aggiungere un altro membro.",
    tooMany: "Troppe persone stanno accedendo dalla tua rete. Riprova tra un minuto.",
    failed: "L’accesso non è riuscito per un problema da parte nostra. Riprova.",
  },
  moment: { title: "Un momento", text: "Stai per essere reindirizzato.", goOn: "Continua" },
  missing: { title: "Qui non c’è nulla", text: "Questa pagina non esiste.", home: "Torna alla pagina iniziale" },
  unloaded: { text: "La dashboard non è ancora stata caricata.", again: "Ricarica la pagina" },
};
