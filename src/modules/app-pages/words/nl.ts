import type { AccountWords } from "../words";

export const accountsNl: AccountWords = {
  dir: "ltr",
  fields: {
    name: "Je naam",
    email: "E-mailadres",
    password: "Wachtwoord",
    newPassword: "Nieuw wachtwoord",
    organization: "Naam van je organisatie",
    code: "Code",
  },
  hints: {
    password: "8 tot 128 tekens",
    code: "Zes cijfers uit je authenticatie-app, of een herstelcode",
  },
  faults: {
    required: "Vul dit in.",
    email: "Vul een e-mailadres in, zoals naam@example.com.",
    emailTaken: "Er is al een account met dit e-mailadres.",
    passwordLength: "Kies 8 tot 128 tekens.",
    passwordWeak: "Dit wachtwoord is te makkelijk te raden. Kies een ander.",
  },
  alerts: {
    check: "Controleer de gemarkeerde velden.",
    tooMany: (wait) => `Dat waren te veel pogingen. Probeer het ${wait} weer.`,
    unavailable: "Dit is nu niet beschikbaar. Probeer het zo weer.",
    failed: "Er ging bij ons iets mis. Probeer het opnieuw.",
    forbidden: "Je hebt hier geen toegang toe. Vraag het aan de beheerder van deze dienst.",
    foreign: "Dit formulier kwam van een andere pagina. Vul het hier in.",
  },
  home: {
    needsScript: "Het dashboard heeft JavaScript nodig.",
    signedInAs: "Ingelogd als",
    signOut: "Uitloggen",
  },
  signIn: {
    title: "Inloggen",
    button: "Inloggen",
    sso: "Inloggen met single sign-on",
    ssoOf: "Inloggen via je organisatie",
    forgotten: "Wachtwoord vergeten?",
    register: "Account aanmaken",
    wrong: "Het e-mailadres of het wachtwoord is onjuist.",
  },
  ssoStart: {
    title: "Single sign-on",
    organization: "Korte naam van je organisatie",
    hint: "Die staat in het adres van je dashboard: …/app/o/korte-naam",
    button: "Doorgaan",
    password: "Inloggen met een wachtwoord",
  },
  code: {
    title: "Tweede stap",
    text: "Je account vraagt ook om een code.",
    button: "Verder",
    wrong: "De code is onjuist, al gebruikt of kwam te laat.",
    again: "Opnieuw beginnen",
  },
  register: {
    title: "Account aanmaken",
    button: "Account aanmaken",
    signIn: "Ik heb al een account",
    refused:
      "Je kunt hier niet zelf een account aanmaken. Vraag je organisatie om een uitnodiging, of vraag het aan de beheerder van deze dienst.",
  },
  forgot: {
    title: "Wachtwoord vergeten?",
    text: "We sturen je een link om een nieuw wachtwoord te kiezen.",
    button: "Link versturen",
    sent: {
      title: "Kijk in je mailbox",
      text: "Als er een account met dit adres is, komt er een link aan. Die werkt één keer, binnen een uur.",
    },
    noMail: "Deze dienst verstuurt geen e-mail. Vraag de beheerder om je wachtwoord opnieuw in te stellen.",
  },
  reset: {
    title: "Nieuw wachtwoord kiezen",
    button: "Wachtwoord opslaan",
    over: "Deze link is al gebruikt, vervangen door een nieuwere of ouder dan een uur.",
    again: "Nieuwe link versturen",
  },
  verify: {
    title: "Bevestig je e-mailadres",
    text: "Bevestig alleen als je dit account zelf hebt aangemaakt. Wie het aanmaakte, houdt het.",
    button: "Bevestigen",
    notMe: "Ik was het niet: het adres overnemen met een nieuw wachtwoord",
    done: { title: "Je adres is bevestigd", text: "Je kunt verder." },
    over: {
      title: "Deze link is niet meer geldig",
      text: "Hij is ouder dan een week, of het account bestaat niet meer. Log in om een nieuwe aan te vragen.",
    },
    ask: "Bevestig je e-mailadres: we hebben je een link gestuurd. Tot dan kun je niemand uitnodigen.",
    again: "Link opnieuw versturen",
    sent: { title: "Kijk in je mailbox", text: "Een nieuwe link is onderweg. Hij is een week geldig." },
  },
  invite: {
    title: "Uitnodiging voor",
    text: "Je doet mee met dit e-mailadres:",
    register: "Account aanmaken en meedoen",
    signIn: "Inloggen en meedoen",
    hasAccount: "Ik heb al een account",
    hasNone: "Ik heb nog geen account",
    over: {
      title: "Deze uitnodiging is niet meer geldig",
      text: "De uitnodiging is al gebruikt, ingetrokken of verlopen. Vraag om een nieuwe.",
    },
  },
  older: {
    title: "Deze link komt uit een oudere e-mail",
    reset: "Voor je veiligheid kun je met zulke links geen wachtwoord meer instellen. Vraag een nieuwe link aan.",
    invite:
      "Voor je veiligheid kun je met zulke links geen uitnodiging meer aannemen. Vraag om een nieuwe uitnodiging.",
  },
  done: {
    signedOut: "Je bent uitgelogd.",
    password: "Je nieuwe wachtwoord is ingesteld. Je kunt er nu mee inloggen.",
  },
  sso: {
    unknown: "Dit adres leidt niet naar een organisatie met single sign-on. Controleer het.",
    again: "Deze inlogpoging is verlopen. Begin opnieuw.",
    email: "De identiteitsprovider van je organisatie bevestigt geen e-mailadres dat hier mag inloggen.",
    unconfirmed:
      "Een account met je e-mailadres is nog niet bevestigd. Bevestig het met de link die we naar dat adres hebben gestuurd, of stel het wachtwoord ervan opnieuw in.",
    closed: "De beheerder van deze dienst maakt hier de accounts aan. Vraag die om een account.",
    provider: "De identiteitsprovider van je organisatie heeft je niet ingelogd.",
    full: "Je organisatie kan geen lid meer toevoegen.",
    tooMany: "Er loggen te veel mensen in vanaf je netwerk. Probeer het over een minuut opnieuw.",
    failed: "Het inloggen ging bij ons mis. Probeer het opnieuw.",
  },
  moment: { title: "Een ogenblik", text: "Je wordt doorgestuurd.", goOn: "Verder" },
  missing: { title: "Hier is niets", text: "Deze pagina bestaat niet.", home: "Naar de startpagina" },
  unloaded: { text: "Het dashboard is nog niet geladen.", again: "Pagina opnieuw laden" },
};
