import type { Words } from "../../words";

/** Zero is singular, like one. */
const cliques = (count: number, text: string) => (count < 2 ? `${text} clique` : `${text} cliques`);

/** A suspicious click is "liberado": "descartar" would sound as if it were discarded. */
export const ptReview: Words["review"] = {
  tabs: { clicks: "Cliques", groups: "Endereços e links" },
  means:
    "Até você decidir, estes cliques contam como bots, e os marcados só com “Muitos de um só endereço”, como pessoas. " +
    "Confirme para tirar um clique de todas as estatísticas; libere para contá-lo como de uma pessoa.",
  status: "Estado",
  statuses: { pending: "Pendentes", confirmed: "Confirmados", dismissed: "Liberados", all: "Todos" },
  acts: { pending: "Reabrir", confirmed: "Confirmar", dismissed: "Liberar" },
  actOn: {
    pending: (what: string) => `Reabrir: ${what}`,
    confirmed: (what: string) => `Confirmar: ${what}`,
    dismissed: (what: string) => `Liberar: ${what}`,
  },
  told: {
    pending: "Pendente de novo. Conta como antes",
    confirmed: "Confirmado. O clique saiu de todas as estatísticas",
    dismissed: "Liberado. O clique conta como de uma pessoa",
  },
  score: (score: number) => `${score} pontos`,
  count: (count: number, text: string) => cliques(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Endereço ${id}`,
  unknownAddress: "Endereço desconhecido",
  onlyLink: (link: string) => `Link: ${link}`,
  list: "Cliques suspeitos",
  groups: "Cliques suspeitos em grupos",
  by: "Agrupar por",
  bys: { address: "Endereço", link: "Link" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${cliques(count, text)} em ${links < 2 ? `${links} link` : `${links} links`} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${cliques(count, text)} de ${addresses < 2 ? `${addresses} endereço` : `${addresses} endereços`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Nada para revisar",
    text: "Nenhum clique suspeito espera a sua decisão: as suas estatísticas não precisam de correção.",
    none: "Nenhum clique tem este estado",
    noneText: "Os cliques aparecem aqui depois que você os confirma ou libera.",
    toPending: "Ver cliques pendentes",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count < 2
          ? `${text} clique volta a contar como antes da decisão.`
          : `${text} cliques voltam a contar como antes da decisão.`,
      confirmed: (count: number, text: string) =>
        count < 2 ? `${text} clique sai de todas as estatísticas.` : `${text} cliques saem de todas as estatísticas.`,
      dismissed: (count: number, text: string) =>
        count < 2
          ? `${text} clique conta como de uma pessoa em todas as estatísticas.`
          : `${text} cliques contam como de pessoas em todas as estatísticas.`,
    },
    later: "Você pode mudar isso depois, na lista do novo estado.",
    done: {
      pending: (count: number, text: string) =>
        count < 2 ? `${text} clique pendente de novo` : `${text} cliques pendentes de novo`,
      confirmed: (count: number, text: string) =>
        count < 2 ? `${text} clique confirmado` : `${text} cliques confirmados`,
      dismissed: (count: number, text: string) => (count < 2 ? `${text} clique liberado` : `${text} cliques liberados`),
    },
  },
};
