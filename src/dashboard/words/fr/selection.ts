import type { Words } from "../../words";

const linksOf = (count: number, written = String(count)): string => `${written} ${count < 2 ? "lien" : "liens"}`;

export const frSelection: Words["selection"] = {
  count: (count: number, written: string) => `${written} ${count < 2 ? "sélectionné" : "sélectionnés"}`,
  matching: (written: string) => `Sélectionner les ${written}`,
  newest: (written: string) => `Sélectionner les ${written} plus récents`,
  clear: "Tout désélectionner",
  tag: "Ajouter un tag",
  tagLabel: "Tag à ajouter",
  pause: "Suspendre",
  resume: "Réactiver",
  archive: "Archiver",
  delete: "Supprimer",
  qr: {
    act: "QR codes",
    title: (count: number) => `${count < 2 ? "QR code" : "QR codes"} de ${linksOf(count)}`,
    format: "Type de fichier",
    formats: { svg: "SVG, pour l’impression à toute taille", png: "PNG, 1 024 pixels de large" },
    download: "Télécharger le ZIP",
    progress: (done: string, total: string) => `${done} sur ${total}`,
    waiting: "La limite de requêtes est atteinte. Le téléchargement reprend de lui-même dans un instant.",
    tooMany: (max: number) => `Sélectionnez au plus ${max} liens par téléchargement.`,
    saved: (count: number) => `${count} ${count < 2 ? "QR code téléchargé" : "QR codes téléchargés"}`,
    failed: (count: number) =>
      count < 2 ? `${count} code manque dans le téléchargement :` : `${count} codes manquent dans le téléchargement :`,
    failedOne: (shortUrl: string, why: string) => `${shortUrl} : ${why}`,
  },
  waiting: (seconds: number) =>
    `La limite de votre forfait est atteinte. La modification reprend dans ${seconds} ${seconds < 2 ? "seconde" : "secondes"}.`,
  canceling: "Annulation en cours. Les modifications déjà envoyées s’appliquent.",
  changed: (count: number, written: string) => `${linksOf(count, written)} ${count < 2 ? "modifié" : "modifiés"}`,
  deleted: (count: number, written: string) => `${linksOf(count, written)} ${count < 2 ? "supprimé" : "supprimés"}`,
  failed: (count: number, written: string) =>
    `${linksOf(count, written)} ${count < 2 ? "n’a pas pu être modifié" : "n’ont pas pu être modifiés"}`,
  confirm: {
    title: (count: number, written: string) => `Supprimer ${linksOf(count, written)} ?`,
    text: "Ces liens cesseront aussitôt de fonctionner et leurs slugs seront libres pour d’autres. Leurs statistiques sont conservées. Cette action est irréversible.",
  },
};
