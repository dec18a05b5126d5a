import type { Words } from "../words";

const nothing = { title: "Rien ici", text: "Ce lien n’existe pas" };
const password = { title: "Mot de passe requis", text: "Ce lien demande un mot de passe" };
const moment = "Un instant";
const ended = "Ce lien n’est plus actif";

export const fr: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Lien dangereux", text: "Ce lien est bloqué parce que sa destination est dangereuse" },
    expired: { title: ended, text: "Ce lien a expiré" },
    max_clicks_reached: { title: ended, text: "Ce lien a atteint son nombre maximal de visites" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Avant de continuer", text: "Remplissez d’abord le formulaire pour ouvrir ce lien" },
    form_too_large: { title: "Trop de texte", text: "Le formulaire est trop volumineux" },
    malformed: { title: "Lien incorrect", text: "L’adresse est mal formée" },
    method: { title: "Non autorisé", text: "Les liens courts n’acceptent que GET et HEAD" },
    busy: { title: moment, text: "Trop de mots de passe sont vérifiés en même temps ; réessayez dans un instant" },
    probing: { title: moment, text: "Trop de tentatives ; patientez une minute" },
    attempts: { title: moment, text: "Trop de tentatives ; réessayez dans une minute" },
    unavailable: { title: moment, text: "Ce lien est momentanément indisponible ; réessayez dans un instant" },
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
    again: "Cela a pris longtemps. Envoyez le formulaire à nouveau.",
    tooMany: "Trop de formulaires ont été envoyés d’ici. Réessayez dans une minute.",
    unavailable: "Vos réponses ne peuvent pas être enregistrées pour le moment. Réessayez bientôt.",
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
  cta: { title: "Avant de continuer" },
  store: {
    title: "Obtenir l’application",
    text: "Votre contenu s’ouvrira dans l’application une fois installée.",
    button: "Aller sur l’App Store",
  },
  inApp: {
    title: "Ouvrir dans l’application",
    text: "Ce contenu s’ouvre mieux dans l’application.",
    button: "Ouvrir l’application",
    byBrowser: {
      text: "Ouvrez cette page dans votre navigateur pour continuer dans l’application.",
      button: "Ouvrir dans le navigateur",
      otherwise: "Si rien ne se passe, choisissez « Ouvrir dans le navigateur » dans le menu de cette application.",
    },
  },
  passing: { title: moment, text: "Vous allez être redirigé" },
  help: "Aide",
};
