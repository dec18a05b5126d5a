import type { Words } from "../../words";

export const nlLeads: Words["leads"] = {
  empty: {
    title: "Nog geen leads",
    text: "Hier verschijnt wat bezoekers in het formulier van deze link invullen.",
  },
  at: "Tijd",
  entered: "Ingevuld",
  actions: "Acties",
  download: "CSV downloaden",
  deleteOf: (at: string) => `Lead van ${at} verwijderen`,
  deleted: "Lead verwijderd",
  confirm: {
    title: "Deze lead verwijderen?",
    text: "Wat de bezoeker heeft ingevuld, wordt gewist. De lead telt nog steeds mee in alle cijfers. Dit kan niet ongedaan worden gemaakt.",
  },
};
