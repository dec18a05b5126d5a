import type { Words } from "../../words";

const clics = (count: number, text: string) => (count === 1 ? "1 clic" : `${text} clics`);

/** A suspicion is "desestimada": "descartar" would sound as if the click were discarded. */
export const esReview: Words["review"] = {
  tabs: { clicks: "Clics", groups: "Direcciones y enlaces" },
  means:
    "Hasta que decidas, estos clics cuentan como bots, y los que solo llevan «Muchos desde una dirección», como personas. " +
    "Confirma para quitar un clic de todas las estadísticas; desestima para contarlo como de una persona.",
  status: "Estado",
  statuses: { pending: "Pendientes", confirmed: "Confirmados", dismissed: "Desestimados", all: "Todos" },
  acts: { pending: "Reabrir", confirmed: "Confirmar", dismissed: "Desestimar" },
  actOn: {
    pending: (what: string) => `Reabrir: ${what}`,
    confirmed: (what: string) => `Confirmar: ${what}`,
    dismissed: (what: string) => `Desestimar: ${what}`,
  },
  told: {
    pending: "Pendiente de nuevo. Cuenta como antes",
    confirmed: "Confirmado. El clic ya no está en ninguna estadística",
    dismissed: "Desestimado. El clic cuenta como de una persona",
  },
  score: (score: number) => `${score} puntos`,
  count: (count: number, text: string) => clics(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Dirección ${id}`,
  unknownAddress: "Dirección desconocida",
  onlyLink: (link: string) => `Enlace: ${link}`,
  list: "Clics sospechosos",
  groups: "Clics sospechosos en grupos",
  by: "Agrupar por",
  bys: { address: "Dirección", link: "Enlace" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${clics(count, text)} en ${links === 1 ? "1 enlace" : `${links} enlaces`} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${clics(count, text)} desde ${addresses === 1 ? "1 dirección" : `${addresses} direcciones`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Nada que revisar",
    text: "Ningún clic sospechoso espera tu decisión: tus estadísticas no necesitan correcciones.",
    none: "Ningún clic tiene este estado",
    noneText: "Los clics aparecen aquí cuando los confirmas o los desestimas.",
    toPending: "Ver clics pendientes",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count === 1
          ? "1 clic volverá a contar como antes de la decisión."
          : `${text} clics volverán a contar como antes de la decisión.`,
      confirmed: (count: number, text: string) =>
        count === 1 ? "1 clic saldrá de todas las estadísticas." : `${text} clics saldrán de todas las estadísticas.`,
      dismissed: (count: number, text: string) =>
        count === 1
          ? "1 clic contará como de una persona en todas las estadísticas."
          : `${text} clics contarán como de personas en todas las estadísticas.`,
    },
    later: "Puedes cambiarlo después, en la lista de su nuevo estado.",
    done: {
      pending: (count: number, text: string) =>
        count === 1 ? "1 clic pendiente de nuevo" : `${text} clics pendientes de nuevo`,
      confirmed: (count: number, text: string) => (count === 1 ? "1 clic confirmado" : `${text} clics confirmados`),
      dismissed: (count: number, text: string) => (count === 1 ? "1 clic desestimado" : `${text} clics desestimados`),
    },
  },
};
