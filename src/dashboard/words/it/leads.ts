import type { Words } from "../../words";

export const itLeads: Words["leads"] = {
  empty: {
    title: "Ancora nessun lead",
    text: "Qui appare ciò che i visitatori inseriscono nel modulo di questo link.",
  },
  at: "Data",
  entered: "Dati",
  actions: "Azioni",
  download: "Scarica CSV",
  deleteOf: (at: string) => `Elimina il lead del ${at}`,
  deleted: "Lead eliminato",
  confirm: {
    title: "Eliminare questo lead?",
    text: "I dati inviati dal visitatore vengono cancellati. Il lead resta contato in tutte le statistiche. L’operazione è irreversibile.",
  },
};
