import type { Words } from "../words";

const nothing = {
  title: "Page introuvable",
  text: "Aucun lien n’existe à cette adresse",
  hint: "Vérifiez l’orthographe ou demandez un nouveau lien à la personne qui vous l’a envoyé.",
};
const password = { title: "Mot de passe requis", text: "Ce lien est protégé par un mot de passe" };
const moment = "Un instant";

export const fr: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Ce lien est bloqué",
      text: "Sa destination est peut-être dangereuse, nous ne l’ouvrons donc pas",
      hint: "Si vous attendiez autre chose, prévenez la personne qui vous l’a envoyé.",
    },
    expired: {
      title: "Ce lien a expiré",
      text: "Il n’était valable que jusqu’à une certaine date",
      hint: "Demandez un nouveau lien à la personne qui vous l’a envoyé.",
    },
    max_clicks_reached: {
      title: "Ce lien n’est plus valable",
      text: "Il ne pouvait être ouvert qu’un certain nombre de fois",
      hint: "Demandez un nouveau lien à la personne qui vous l’a envoyé.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Avant de continuer", text: "Remplissez le formulaire pour ouvrir ce lien" },
    form_too_large: {
      title: "Trop de texte",
      text: "Le formulaire est trop volumineux",
      hint: "Revenez en arrière et raccourcissez vos réponses.",
    },
    malformed: {
      title: "Ce n’est pas un lien",
      text: "L’adresse contient un élément incorrect",
      hint: "Vérifiez l’orthographe ou demandez un nouveau lien à la personne qui vous l’a envoyé.",
    },
    method: {
      title: "Non autorisé",
      text: "Les liens courts n’acceptent que GET et HEAD, et POST pour leurs formulaires",
    },
    busy: {
      title: moment,
      text: "Trop de mots de passe sont en cours de vérification",
      hint: "Réessayez dans un instant.",
    },
    probing: {
      title: moment,
      text: "Trop de tentatives proviennent de votre réseau",
      hint: "Patientez une minute, puis réessayez.",
    },
    attempts: { title: moment, text: "Il y a eu trop de tentatives", hint: "Patientez une minute, puis réessayez." },
    unavailable: {
      title: moment,
      text: "Ce lien ne peut pas être ouvert pour le moment",
      hint: "Réessayez dans un instant.",
    },
  },
  password: {
    label: "Mot de passe",
    ask: "Saisissez le mot de passe pour continuer.",
    wrong: "Le mot de passe est incorrect. Réessayez.",
  },
  goOn: "Continuer",
  lead: {
    title: "Avant de continuer",
    button: "Continuer",
    required: "obligatoire",
    email: "Adresse e-mail",
    check: "Vérifiez les champs signalés.",
    again: "Le délai est dépassé. Envoyez le formulaire à nouveau.",
    tooMany: "Trop de formulaires ont été envoyés depuis votre réseau. Réessayez dans une minute.",
    unavailable: "Vos réponses ne peuvent pas être enregistrées pour le moment. Réessayez dans un instant.",
    faults: {
      required: "Remplissez ce champ.",
      length: "Ce texte est trop long.",
      characters: "Ce texte contient des caractères qui ne peuvent pas être enregistrés.",
      email: "Saisissez une adresse e-mail, par exemple nom@example.com.",
      tel: "Saisissez un numéro de téléphone.",
      url: "Saisissez une adresse web qui commence par http:// ou https://.",
      number: "Saisissez un nombre.",
      checkbox: "Cochez cette case.",
    },
  },
  cta: { title: "Avant de continuer", onward: "Vous allez accéder à" },
  store: {
    title: "Obtenir l’application",
    text: "L’application est disponible dans l’App Store. Une fois installée, elle ouvrira le contenu demandé",
    button: "Obtenir l’application",
    web: "Continuer dans le navigateur",
  },
  inApp: {
    title: "Ouvrir dans l’application",
    text: "Ce contenu s’ouvre mieux dans l’application.",
    button: "Ouvrir l’application",
    byBrowser: {
      text: "Ouvrez cette page dans votre navigateur pour continuer dans l’application.",
      button: "Ouvrir dans le navigateur",
      otherwise: "Si rien ne se passe, choisissez « Ouvrir dans le navigateur » dans le menu de cette application.",
      here: "Continuer ici",
    },
  },
  passing: { title: moment, text: "Vous allez être redirigé" },
  home: "Aller à l’accueil",
  help: "Aide",
  retry: "Réessayer",
  back: "Retour",
  owner: (host, name) => `${host} appartient à ${name}.`,
  shared: (host) => `Les liens sur ${host} viennent de nombreux expéditeurs différents.`,
};
