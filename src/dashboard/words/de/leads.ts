import type { Words } from "../../words";

export const deLeads: Words["leads"] = {
  empty: {
    title: "Noch keine Leads",
    text: "Hier erscheint, was Besucher in das Formular dieses Links eingeben.",
  },
  at: "Zeit",
  entered: "Eingegeben",
  actions: "Aktionen",
  download: "CSV herunterladen",
  deleteOf: (at: string) => `Lead vom ${at} löschen`,
  deleted: "Lead gelöscht",
  confirm: {
    title: "Diesen Lead löschen?",
    text: "Die Angaben des Besuchers werden gelöscht. In allen Zahlen zählt der Lead weiterhin. Das lässt sich nicht rückgängig machen.",
  },
};
