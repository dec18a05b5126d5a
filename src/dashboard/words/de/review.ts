import type { Words } from "../../words";

const clicks = (count: number, text: string) => (count === 1 ? "1 Klick" : `${text} Klicks`);

/** "Freigeben", not "verwerfen": the suspicion is discarded, not the click. */
export const deReview: Words["review"] = {
  tabs: { clicks: "Klicks", groups: "Adressen und Links" },
  means:
    "Bis Sie entscheiden, zählen diese Klicks als Bots; steht nur „Viele von einer Adresse“ dabei, zählen sie als Menschen. " +
    "Bestätigen nimmt einen Klick aus der gesamten Statistik, Freigeben zählt ihn als Klick eines Menschen.",
  status: "Status",
  statuses: { pending: "Offen", confirmed: "Bestätigt", dismissed: "Freigegeben", all: "Alle" },
  acts: { pending: "Zurücknehmen", confirmed: "Bestätigen", dismissed: "Freigeben" },
  actOn: {
    pending: (what: string) => `Zurücknehmen: ${what}`,
    confirmed: (what: string) => `Bestätigen: ${what}`,
    dismissed: (what: string) => `Freigeben: ${what}`,
  },
  told: {
    pending: "Wieder offen. Der Klick zählt wie zuvor",
    confirmed: "Bestätigt. Der Klick zählt in keiner Statistik mehr",
    dismissed: "Freigegeben. Der Klick zählt als der eines Menschen",
  },
  score: (score: number) => `Score ${score}`,
  count: (count: number, text: string) => clicks(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Adresse ${id}`,
  unknownAddress: "Unbekannte Adresse",
  onlyLink: (link: string) => `Link: ${link}`,
  list: "Verdächtige Klicks",
  groups: "Verdächtige Klicks in Gruppen",
  by: "Gruppieren nach",
  bys: { address: "Adresse", link: "Link" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${clicks(count, text)} auf ${links === 1 ? "1 Link" : `${links} Links`} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${clicks(count, text)} von ${addresses === 1 ? "1 Adresse" : `${addresses} Adressen`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Nichts zu prüfen",
    text: "Keine verdächtigen Klicks warten auf Ihr Urteil: Ihre Statistik braucht keine Korrektur.",
    none: "Keine Klicks mit diesem Status",
    noneText: "Klicks erscheinen hier, sobald Sie sie bestätigen oder freigeben.",
    toPending: "Offene Klicks anzeigen",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count === 1 ? "1 Klick zählt wieder wie vor dem Urteil." : `${text} Klicks zählen wieder wie vor dem Urteil.`,
      confirmed: (count: number, text: string) =>
        count === 1 ? "1 Klick zählt in keiner Statistik mehr." : `${text} Klicks zählen in keiner Statistik mehr.`,
      dismissed: (count: number, text: string) =>
        count === 1
          ? "1 Klick zählt in jeder Statistik als der eines Menschen."
          : `${text} Klicks zählen in jeder Statistik als die von Menschen.`,
    },
    later: "Sie können das später unter dem neuen Status ändern.",
    done: {
      pending: (count: number, text: string) => `${clicks(count, text)} wieder offen`,
      confirmed: (count: number, text: string) => `${clicks(count, text)} bestätigt`,
      dismissed: (count: number, text: string) => `${clicks(count, text)} freigegeben`,
    },
  },
};
