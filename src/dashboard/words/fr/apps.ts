import type { Words } from "../../words";

export const frApps: Words["apps"] = {
  add: "Ajouter une application",
  save: "Enregistrer",
  added: (name: string) => `${name} est ajoutée. Les liens l’ouvrent dès la prochaine visite`,
  saved: "Enregistré. Valable dès la prochaine visite",
  empty: {
    title: "Ouvrez votre application depuis vos liens",
    text: "Ajoutez votre application : les liens sur vos propres domaines l’ouvrent là où elle est installée, et mènent sinon à son store.",
    viewer: "Aucune application n’a encore été ajoutée. Un admin de l’organisation peut le faire.",
  },
  prefixed: (prefix: string) => `Liens sous /${prefix}`,
  unprefixed: "Tous les liens de vos domaines",
  opens: { ios: "iPhone : ouvre l’application", android: "Android : ouvre l’application" },
  store: { ios: "iPhone : store seulement", android: "Android : store seulement" },
  sections: { app: "Application", ios: "iPhone", android: "Android" },
  name: "Nom",
  subtitle: "Sous-titre",
  pathPrefix: "Préfixe de chemin",
  fallback: "Les mobiles sans l’application vont vers",
  fallbacks: { store: "Le store de l’application", web: "La destination web du lien" },
  iconUrl: "URL de l’icône",
  hints: {
    subtitle: "Une ligne sous le nom, sur les pages qui mènent au store ou à l’application",
    pathPrefix:
      "Les liens sous ce chemin utilisent l’application, par exemple shop. Laissez vide pour tous les liens de vos domaines",
    iconUrl: "Une image sur le web ; à défaut, l’initiale du nom est affichée",
    teamId: "Dix majuscules et chiffres. Avec le bundle ID, les liens s’ouvrent dans l’application",
    appStoreId: "Des chiffres. Les mobiles sans l’application sont menés à cette fiche",
    scheme: "Ouvre l’application depuis d’autres applications, par exemple acmeshop",
    providerToken: "Le pt des liens de campagne de l’App Store",
    campaignName: "Le ct des liens de campagne de l’App Store",
    packageName: "Les mobiles sans l’application sont menés à sa fiche Play",
    fingerprints:
      "Une par ligne, comme Play et keytool les affichent. Avec le nom du package, les liens s’ouvrent dans l’application",
  },
  teamId: "Team ID",
  bundleId: "Bundle ID",
  appStoreId: "ID App Store",
  iosScheme: "Schéma iPhone",
  providerToken: "Provider token",
  campaignName: "Nom de la campagne",
  packageName: "Nom du package",
  fingerprints: "Empreintes SHA-256",
  androidScheme: "Schéma Android",
  lineFault: (line: number, fault: string) => `Ligne ${line} : ${fault}`,
  association: {
    title: "Comment les mobiles reconnaissent l’application",
    text: "Voici ce que l’application ajoute aux fichiers que les mobiles lisent sur vos domaines vérifiés. Cela suit votre saisie.",
    apple: "apple-app-site-association",
    google: "assetlinks.json",
    noApple: "Les iPhone ont besoin du Team ID et du bundle ID pour ouvrir les liens dans l’application.",
    noGoogle:
      "Les mobiles Android ont besoin du nom du package et d’une empreinte pour ouvrir les liens dans l’application.",
    served: "Actuellement en ligne",
    noDomain:
      "Aucun de vos domaines n’est encore vérifié. Les mobiles n’ouvrent les applications que sur vos propres domaines.",
    toDomains: "Aller à vos domaines",
    of: (file: string, hostname: string) => `${file} sur ${hostname}`,
  },
  delete: "Supprimer l’application",
  deleted: (name: string) => `${name} est supprimée`,
  confirm: {
    title: "Supprimer cette application ?",
    text: (name: string) =>
      `Les liens n’ouvriront plus ${name}. Ce n’est possible que tant qu’aucun lien ne s’y rattache.`,
  },
};
