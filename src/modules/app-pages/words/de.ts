import type { AccountWords } from "../words";

export const accountsDe: AccountWords = {
  dir: "ltr",
  fields: {
    name: "Ihr Name",
    email: "E-Mail-Adresse",
    password: "Passwort",
    newPassword: "Neues Passwort",
    organization: "Name Ihrer Organisation",
    code: "Code",
  },
  hints: {
    password: "8 bis 128 Zeichen",
    code: "Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode",
  },
  faults: {
    required: "Bitte ausfüllen.",
    email: "Bitte eine E-Mail-Adresse angeben, etwa name@example.com.",
    emailTaken: "Zu dieser E-Mail-Adresse gibt es schon ein Konto.",
    passwordLength: "Bitte 8 bis 128 Zeichen wählen.",
    passwordWeak: "Dieses Passwort ist zu leicht zu erraten. Bitte ein anderes wählen.",
  },
  alerts: {
    check: "Bitte die markierten Felder prüfen.",
    tooMany: (wait) => `Das waren zu viele Versuche. Bitte ${wait} noch einmal versuchen.`,
    unavailable: "Das geht gerade nicht. Bitte gleich noch einmal versuchen.",
    failed: "Bei uns ist etwas schiefgegangen. Bitte noch einmal versuchen.",
    forbidden: "Darauf haben Sie keinen Zugriff. Fragen Sie den Betreiber dieses Dienstes.",
    foreign: "Dieses Formular kam von einer anderen Seite. Bitte füllen Sie es hier aus.",
  },
  home: {
    needsScript: "Das Dashboard braucht JavaScript.",
    signedInAs: "Angemeldet als",
    signOut: "Abmelden",
  },
  signIn: {
    title: "Anmelden",
    button: "Anmelden",
    sso: "Mit Single Sign-on anmelden",
    ssoOf: "Über Ihre Organisation anmelden",
    forgotten: "Passwort vergessen?",
    register: "Konto anlegen",
    wrong: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  },
  ssoStart: {
    title: "Single Sign-on",
    organization: "Kurzname Ihrer Organisation",
    hint: "Er steht in der Adresse Ihres Dashboards: …/app/o/kurzname",
    button: "Weiter",
    password: "Mit Passwort anmelden",
  },
  code: {
    title: "Zweiter Schritt",
    text: "Ihr Konto verlangt zusätzlich einen Code.",
    button: "Weiter",
    wrong: "Der Code ist falsch, wurde schon benutzt oder kam zu spät.",
    again: "Von vorn beginnen",
  },
  register: {
    title: "Konto anlegen",
    button: "Konto anlegen",
    signIn: "Ich habe schon ein Konto",
    refused:
      "Hier können Sie selbst kein Konto anlegen. Bitten Sie Ihre Organisation um eine Einladung oder fragen Sie den Betreiber dieses Dienstes.",
  },
  forgot: {
    title: "Passwort vergessen?",
    text: "Wir schicken Ihnen einen Link, mit dem Sie ein neues festlegen.",
    button: "Link senden",
    sent: {
      title: "Schauen Sie in Ihr Postfach",
      text: "Gibt es zu dieser Adresse ein Konto, ist ein Link unterwegs. Er gilt eine Stunde und nur einmal.",
    },
    noMail: "Dieser Dienst verschickt keine E-Mails. Bitten Sie den Betreiber, Ihr Passwort zurückzusetzen.",
  },
  reset: {
    title: "Neues Passwort festlegen",
    button: "Passwort festlegen",
    over: "Dieser Link wurde schon benutzt oder durch einen neueren ersetzt, oder er ist älter als eine Stunde.",
    again: "Neuen Link senden",
  },
  verify: {
    title: "E-Mail-Adresse bestätigen",
    text: "Bestätigen Sie nur, wenn Sie dieses Konto selbst angelegt haben. Wer es angelegt hat, behält es.",
    button: "Bestätigen",
    notMe: "Das war ich nicht: die Adresse mit einem neuen Passwort übernehmen",
    done: { title: "Ihre Adresse ist bestätigt", text: "Sie können weitermachen." },
    over: {
      title: "Dieser Link gilt nicht mehr",
      text: "Er ist älter als eine Woche, oder das Konto gibt es nicht mehr. Melden Sie sich an, um einen neuen anzufordern.",
    },
    ask: "Bitte bestätigen Sie Ihre E-Mail-Adresse: Wir haben Ihnen einen Link geschickt. Bis dahin können Sie niemanden einladen.",
    again: "Link noch einmal senden",
    sent: { title: "Schauen Sie in Ihr Postfach", text: "Ein neuer Link ist unterwegs. Er gilt eine Woche." },
  },
  invite: {
    title: "Einladung zu",
    text: "Sie treten mit dieser E-Mail-Adresse bei:",
    register: "Konto anlegen und beitreten",
    signIn: "Anmelden und beitreten",
    hasAccount: "Ich habe schon ein Konto",
    hasNone: "Ich habe noch kein Konto",
    over: {
      title: "Diese Einladung gilt nicht mehr",
      text: "Sie wurde schon angenommen oder zurückgezogen, oder sie ist abgelaufen. Bitten Sie um eine neue.",
    },
  },
  older: {
    title: "Dieser Link stammt aus einer älteren E-Mail",
    reset: "Zu Ihrer Sicherheit lässt sich mit solchen Links kein Passwort mehr festlegen. Fordern Sie einen neuen an.",
    invite:
      "Zu Ihrer Sicherheit lässt sich mit solchen Links keine Einladung mehr annehmen. Bitten Sie um eine neue Einladung.",
  },
  done: {
    signedOut: "Sie sind abgemeldet.",
    password: "Ihr neues Passwort ist gespeichert. Sie können sich jetzt damit anmelden.",
  },
  sso: {
    unknown: "Diese Adresse führt zu keiner Organisation mit Single Sign-on. Bitte prüfen Sie sie.",
    again: "Diese Anmeldung ist abgelaufen. Bitte beginnen Sie noch einmal.",
    email:
      "Der Anmeldedienst Ihrer Organisation bestätigt keine E-Mail-Adresse, mit der Sie sich hier anmelden dürfen.",
    unconfirmed:
      "Ein Konto mit Ihrer E-Mail-Adresse ist noch nicht bestätigt. Bestätigen Sie es mit dem Link, den wir an diese Adresse geschickt haben, oder setzen Sie sein Passwort zurück.",
    closed: "Konten legt hier der Betreiber dieses Dienstes an. Bitten Sie ihn um eines.",
    provider: "Der Anmeldedienst Ihrer Organisation hat Sie nicht angemeldet.",
    full: "Ihre Organisation kann kein weiteres Mitglied aufnehmen.",
    tooMany: "Aus Ihrem Netz melden sich gerade zu viele Personen an. Bitte in einer Minute noch einmal versuchen.",
    failed: "Die Anmeldung ist bei uns schiefgegangen. Bitte noch einmal versuchen.",
  },
  moment: { title: "Einen Moment", text: "Sie werden weitergeleitet.", goOn: "Weiter" },
  missing: { title: "Hier ist nichts", text: "Diese Seite gibt es nicht.", home: "Zur Startseite" },
  unloaded: { text: "Das Dashboard ist noch nicht geladen.", again: "Seite neu laden" },
};
