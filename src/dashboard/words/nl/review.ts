import type { Words } from "../../words";

const clicks = (count: number, text: string) => (count === 1 ? "1 klik" : `${text} klikken`);

export const nlReview: Words["review"] = {
  tabs: { clicks: "Klikken", groups: "Adressen en links" },
  means:
    "Tot je beslist, tellen deze klikken als bots, en die met alleen ‘Veel vanaf één adres’ als mensen. " +
    "Bevestig om een klik uit alle cijfers te halen; wijs af om hem als klik van een mens te tellen.",
  status: "Status",
  statuses: { pending: "Open", confirmed: "Bevestigd", dismissed: "Afgewezen", all: "Alle" },
  acts: { pending: "Terugnemen", confirmed: "Bevestigen", dismissed: "Afwijzen" },
  actOn: {
    pending: (what: string) => `Terugnemen: ${what}`,
    confirmed: (what: string) => `Bevestigen: ${what}`,
    dismissed: (what: string) => `Afwijzen: ${what}`,
  },
  told: {
    pending: "Weer open. De klik telt zoals eerst",
    confirmed: "Bevestigd. De klik is uit alle cijfers",
    dismissed: "Afgewezen. De klik telt als die van een mens",
  },
  score: (score: number) => `Score ${score}`,
  count: (count: number, text: string) => clicks(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Adres ${id}`,
  unknownAddress: "Onbekend adres",
  onlyLink: (link: string) => `Link: ${link}`,
  list: "Verdachte klikken",
  groups: "Verdachte klikken in groepen",
  by: "Groeperen op",
  bys: { address: "Adres", link: "Link" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${clicks(count, text)} op ${links === 1 ? "1 link" : `${links} links`} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${clicks(count, text)} vanaf ${addresses === 1 ? "1 adres" : `${addresses} adressen`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Niets te controleren",
    text: "Er wachten geen verdachte klikken op een oordeel: je cijfers hoeven niet te worden gecorrigeerd.",
    none: "Geen klikken met deze status",
    noneText: "Klikken verschijnen hier nadat je ze hebt bevestigd of afgewezen.",
    toPending: "Open klikken tonen",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count === 1
          ? "1 klik telt weer zoals vóór het oordeel."
          : `${text} klikken tellen weer zoals vóór het oordeel.`,
      confirmed: (count: number, text: string) =>
        count === 1 ? "1 klik verdwijnt uit alle cijfers." : `${text} klikken verdwijnen uit alle cijfers.`,
      dismissed: (count: number, text: string) =>
        count === 1
          ? "1 klik telt in alle cijfers als die van een mens."
          : `${text} klikken tellen in alle cijfers als die van mensen.`,
    },
    later: "Je kunt dit later nog wijzigen, onder de status die ze krijgen.",
    done: {
      pending: (count: number, text: string) => `${clicks(count, text)} weer open`,
      confirmed: (count: number, text: string) => `${clicks(count, text)} bevestigd`,
      dismissed: (count: number, text: string) => `${clicks(count, text)} afgewezen`,
    },
  },
};
