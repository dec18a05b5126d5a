import type { Words } from "../../words";

const clic = (text: string) => `${text} clic`;

/** A suspicious click is "ammesso": "ignorato" or "scartato" would sound as if it did not count. */
export const itReview: Words["review"] = {
  tabs: { clicks: "Clic", groups: "Indirizzi e link" },
  means:
    "Finché non decidi, questi clic contano come bot, e quelli segnati solo con «Molti da un solo indirizzo» come persone. " +
    "Conferma per togliere un clic da tutte le statistiche; ammettilo per contarlo come di una persona.",
  status: "Stato",
  statuses: { pending: "In attesa", confirmed: "Confermati", dismissed: "Ammessi", all: "Tutti" },
  acts: { pending: "Riapri", confirmed: "Conferma", dismissed: "Ammetti" },
  actOn: {
    pending: (what: string) => `Riapri: ${what}`,
    confirmed: (what: string) => `Conferma: ${what}`,
    dismissed: (what: string) => `Ammetti: ${what}`,
  },
  told: {
    pending: "Di nuovo in attesa. Conta come prima",
    confirmed: "Confermato. Il clic è fuori da tutte le statistiche",
    dismissed: "Ammesso. Il clic conta come di una persona",
  },
  score: (score: number) => `${score} punti`,
  count: (_count: number, text: string) => clic(text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Indirizzo ${id}`,
  unknownAddress: "Indirizzo sconosciuto",
  onlyLink: (link: string) => `Link: ${link}`,
  list: "Clic sospetti",
  groups: "Clic sospetti in gruppi",
  by: "Raggruppa per",
  bys: { address: "Indirizzo", link: "Link" },
  ofAddress: (_count: number, text: string, links: number, span: string) => `${clic(text)} su ${links} link · ${span}`,
  ofLink: (_count: number, text: string, addresses: number, span: string) =>
    `${clic(text)} da ${addresses === 1 ? "1 indirizzo" : `${addresses} indirizzi`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Niente da rivedere",
    text: "Nessun clic sospetto aspetta la tua decisione: le tue statistiche non hanno bisogno di correzioni.",
    none: "Nessun clic ha questo stato",
    noneText: "I clic compaiono qui dopo che li hai confermati o ammessi.",
    toPending: "Mostra clic in attesa",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count === 1
          ? "1 clic torna a contare come prima della decisione."
          : `${clic(text)} tornano a contare come prima della decisione.`,
      confirmed: (count: number, text: string) =>
        count === 1 ? "1 clic esce da tutte le statistiche." : `${clic(text)} escono da tutte le statistiche.`,
      dismissed: (count: number, text: string) =>
        count === 1
          ? "1 clic conta come di una persona in tutte le statistiche."
          : `${clic(text)} contano come di persone in tutte le statistiche.`,
    },
    later: "Puoi cambiare idea in seguito, nell’elenco del nuovo stato.",
    done: {
      pending: (_count: number, text: string) => `${clic(text)} di nuovo in attesa`,
      confirmed: (count: number, text: string) => (count === 1 ? "1 clic confermato" : `${clic(text)} confermati`),
      dismissed: (count: number, text: string) => (count === 1 ? "1 clic ammesso" : `${clic(text)} ammessi`),
    },
  },
};
