import type { AccountWords } from "../words";

export const accountsFr: AccountWords = {
  dir: "ltr",
  fields: {
    name: "Votre nom",
    email: "Adresse e-mail",
    password: "Mot de passe",
    newPassword: "Nouveau mot de passe",
    organization: "Nom de votre organisation",
    code: "Code",
  },
  hints: {
    password: "De 8 à 128 caractères",
    code: "Six chiffres de votre application d’authentification, ou un code de secours",
  },
  faults: {
    required: "Remplissez ce champ.",
    email: "Saisissez une adresse e-mail, par exemple nom@example.com.",
    emailTaken: "Un compte existe déjà avec cette adresse e-mail.",
    passwordLength: "Choisissez de 8 à 128 caractères.",
    passwordWeak: "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.",
  },
  alerts: {
    check: "Vérifiez les champs signalés.",
    tooMany: (wait) => `Trop de tentatives. Réessayez ${wait}.`,
    unavailable: "Ce n’est pas disponible pour le moment. Réessayez dans un instant.",
    failed: "Un problème est survenu de notre côté. Réessayez.",
    forbidden: "Vous n’y avez pas accès. Adressez-vous à l’exploitant de ce service.",
    foreign: "Ce formulaire a été envoyé depuis une autre page. Remplissez-le ici.",
  },
  home: {
    needsScript: "Le tableau de bord a besoin de JavaScript.",
    signedInAs: "Connecté en tant que",
    signOut: "Se déconnecter",
  },
  signIn: {
    title: "Se connecter",
    button: "Se connecter",
    sso: "Se connecter par SSO",
    ssoOf: "Se connecter via votre organisation",
    forgotten: "Mot de passe oublié ?",
    register: "Créer un compte",
    wrong: "L’adresse e-mail ou le mot de passe est incorrect.",
  },
  ssoStart: {
    title: "Connexion par SSO",
    organization: "Nom court de votre organisation",
    hint: "Il figure dans l’adresse de votre tableau de bord : …/app/o/nom-court",
    button: "Continuer",
    password: "Se connecter avec un mot de passe",
  },
  code: {
    title: "Deuxième étape",
    text: "Votre compte demande aussi un code.",
    button: "Continuer",
    wrong: "Le code est incorrect, a déjà servi ou est arrivé trop tard.",
    again: "Recommencer",
  },
  register: {
    title: "Créer un compte",
    button: "Créer le compte",
    signIn: "J’ai déjà un compte",
    refused:
      "Vous ne pouvez pas créer vous-même un compte ici. Demandez une invitation à votre organisation, ou adressez-vous à l’exploitant de ce service.",
  },
  forgot: {
    title: "Mot de passe oublié ?",
    text: "Nous vous enverrons un lien pour en choisir un nouveau.",
    button: "Envoyer le lien",
    sent: {
      title: "Consultez votre messagerie",
      text: "S’il existe un compte avec cette adresse, un lien est en route. Il ne peut servir qu’une fois, pendant une heure.",
    },
    noMail: "Ce service n’envoie pas d’e-mails. Demandez à son exploitant de réinitialiser votre mot de passe.",
  },
  reset: {
    title: "Choisir un nouveau mot de passe",
    button: "Enregistrer le mot de passe",
    over: "Ce lien a déjà servi, a été remplacé par un plus récent ou date de plus d’une heure.",
    again: "Envoyer un nouveau lien",
  },
  verify: {
    title: "Confirmez votre adresse e-mail",
    text: "Ne confirmez que si vous avez créé ce compte vous-même. La personne qui l’a créé le conserve.",
    button: "Confirmer",
    notMe: "Ce n’était pas moi : reprendre l’adresse avec un nouveau mot de passe",
    done: { title: "Votre adresse est confirmée", text: "Vous pouvez continuer." },
    over: {
      title: "Ce lien n’est plus valable",
      text: "Il date de plus d’une semaine, ou le compte n’existe plus. Connectez-vous pour en demander un nouveau.",
    },
    ask: "Confirmez votre adresse e-mail : nous vous avons envoyé un lien. D’ici là, vous ne pouvez inviter personne.",
    again: "Envoyer le lien à nouveau",
    sent: {
      title: "Consultez votre messagerie",
      text: "Un nouveau lien est en route. Il est valable une semaine.",
    },
  },
  invite: {
    title: "Invitation à",
    text: "Vous rejoignez l’organisation avec cette adresse e-mail :",
    register: "Créer le compte et rejoindre",
    signIn: "Se connecter et rejoindre",
    hasAccount: "J’ai déjà un compte",
    hasNone: "Je n’ai pas encore de compte",
    over: {
      title: "Cette invitation n’est plus valable",
      text: "Elle a déjà servi, a été retirée ou a expiré. Demandez-en une nouvelle.",
    },
  },
  older: {
    title: "Ce lien vient d’un ancien e-mail",
    reset: "Pour votre sécurité, ce type de lien ne permet plus de définir un mot de passe. Demandez un nouveau lien.",
    invite:
      "Pour votre sécurité, ce type de lien ne permet plus d’accepter une invitation. Demandez une nouvelle invitation.",
  },
  done: {
    signedOut: "Vous êtes déconnecté.",
    password: "Votre nouveau mot de passe est enregistré. Vous pouvez vous connecter avec.",
  },
  sso: {
    unknown: "Cette adresse ne mène à aucune organisation qui utilise l’authentification unique. Vérifiez-la.",
    again: "Cette tentative de connexion a expiré. Recommencez.",
    email: "Le fournisseur d’identité de votre organisation ne confirme aucune adresse e-mail autorisée ici.",
    unconfirmed:
      "Un compte avec votre adresse e-mail n’est pas encore confirmé. Confirmez-le avec le lien que nous avons envoyé à cette adresse, ou réinitialisez son mot de passe.",
    closed: "Ici, c’est l’exploitant de ce service qui crée les comptes. Demandez-lui-en un.",
    provider: "Le fournisseur d’identité de votre organisation ne vous a pas connecté.",
    full: "Votre organisation ne peut pas accueillir un membre de plus.",
    tooMany: "Trop de personnes se connectent depuis votre réseau. Réessayez dans une minute.",
    failed: "La connexion a échoué de notre côté. Réessayez.",
  },
  moment: { title: "Un instant", text: "Vous allez être redirigé.", goOn: "Continuer" },
  missing: { title: "Rien ici", text: "Cette page n’existe pas.", home: "Retour à l’accueil" },
  unloaded: { text: "Le tableau de bord n’est pas encore chargé.", again: "Recharger la page" },
};
