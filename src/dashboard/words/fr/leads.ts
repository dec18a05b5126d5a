import type { Words } from "../../words";

export const frLeads: Words["leads"] = {
  empty: {
    title: "Aucun lead pour l’instant",
    text: "Ce que les visiteurs saisissent dans le formulaire de ce lien apparaît ici.",
  },
  at: "Date",
  entered: "Saisie",
  actions: "Actions",
  download: "Télécharger le CSV",
  deleteOf: (at: string) => `Supprimer le lead du ${at}`,
  deleted: "Lead supprimé",
  confirm: {
    title: "Supprimer ce lead ?",
    text: "Ce que le visiteur a saisi est effacé. Le lead reste compté dans toutes les statistiques. Cette action est irréversible.",
  },
};
