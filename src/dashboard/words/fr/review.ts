import type { Words } from "../../words";

const clicks = (count: number, text: string) => (count < 2 ? `${text} clic` : `${text} clics`);
const ending = (count: number) => (count < 2 ? "" : "s");

/** "Approuver", not "rejeter": the suspicion is dismissed, not the click. */
export const frReview: Words["review"] = {
  tabs: { clicks: "Clics", groups: "Adresses et liens" },
  means:
    "Tant que vous n’avez pas tranché, ces clics comptent comme des bots, et ceux marqués seulement « Beaucoup depuis une adresse » comme des personnes. " +
    "Confirmer retire un clic de toutes les statistiques ; approuver le compte comme celui d’une personne.",
  status: "Statut",
  statuses: { pending: "En attente", confirmed: "Confirmés", dismissed: "Approuvés", all: "Tous" },
  acts: { pending: "Rouvrir", confirmed: "Confirmer", dismissed: "Approuver" },
  actOn: {
    pending: (what: string) => `Rouvrir : ${what}`,
    confirmed: (what: string) => `Confirmer : ${what}`,
    dismissed: (what: string) => `Approuver : ${what}`,
  },
  told: {
    pending: "De nouveau en attente. Le clic compte comme avant",
    confirmed: "Confirmé. Le clic est retiré de toutes les statistiques",
    dismissed: "Approuvé. Le clic compte comme celui d’une personne",
  },
  score: (score: number) => `Score ${score}`,
  count: (count: number, text: string) => clicks(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Adresse ${id}`,
  unknownAddress: "Adresse inconnue",
  onlyLink: (link: string) => `Lien : ${link}`,
  list: "Clics suspects",
  groups: "Groupes de clics suspects",
  by: "Grouper par",
  bys: { address: "Adresse", link: "Lien" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${clicks(count, text)} sur ${links} ${links < 2 ? "lien" : "liens"} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${clicks(count, text)} depuis ${addresses} ${addresses < 2 ? "adresse" : "adresses"} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Rien à contrôler",
    text: "Aucun clic suspect n’attend votre verdict : vos statistiques n’ont besoin d’aucune correction.",
    none: "Aucun clic n’a ce statut",
    noneText: "Les clics apparaissent ici une fois confirmés ou approuvés.",
    toPending: "Afficher les clics en attente",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count < 2 ? `${text} clic compte comme avant son verdict.` : `${text} clics comptent comme avant leur verdict.`,
      confirmed: (count: number, text: string) =>
        count < 2
          ? `${text} clic est retiré de toutes les statistiques.`
          : `${text} clics sont retirés de toutes les statistiques.`,
      dismissed: (count: number, text: string) =>
        count < 2
          ? `${text} clic compte dans toutes les statistiques comme celui d’une personne.`
          : `${text} clics comptent dans toutes les statistiques comme ceux de personnes.`,
    },
    later: "Vous pourrez revenir dessus plus tard, sous leur nouveau statut.",
    done: {
      pending: (count: number, text: string) => `${clicks(count, text)} de nouveau en attente`,
      confirmed: (count: number, text: string) => `${clicks(count, text)} confirmé${ending(count)}`,
      dismissed: (count: number, text: string) => `${clicks(count, text)} approuvé${ending(count)}`,
    },
  },
};
