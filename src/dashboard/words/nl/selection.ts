import type { Words } from "../../words";

export const nlSelection: Words["selection"] = {
  count: (_: number, written: string) => `${written} geselecteerd`,
  matching: (written: string) => `Alle ${written} selecteren`,
  newest: (written: string) => `De nieuwste ${written} selecteren`,
  clear: "Selectie wissen",
  tag: "Tag toevoegen",
  tagLabel: "Toe te voegen tag",
  pause: "Pauzeren",
  resume: "Hervatten",
  archive: "Archiveren",
  delete: "Verwijderen",
  qr: {
    act: "QR-codes",
    title: (count: number) => (count === 1 ? "QR-code van 1 link" : `QR-codes van ${count} links`),
    format: "Bestandstype",
    formats: { svg: "SVG, voor drukwerk in elk formaat", png: "PNG, 1024 pixels breed" },
    download: "ZIP downloaden",
    progress: (done: string, total: string) => `${done} van ${total}`,
    waiting: "De aanvraaglimiet is bereikt. De download gaat zo vanzelf verder.",
    tooMany: (max: number) => `Selecteer hoogstens ${max} links voor één download.`,
    saved: (count: number) => (count === 1 ? "1 QR-code is gedownload" : `${count} QR-codes zijn gedownload`),
    failed: (count: number) =>
      count === 1 ? "1 code ontbreekt in de download:" : `${count} codes ontbreken in de download:`,
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `De limiet van je abonnement is bereikt. De wijziging gaat over ${seconds === 1 ? "1 seconde" : `${seconds} seconden`} verder.`,
  canceling: "Wordt geannuleerd. Al verzonden wijzigingen gelden.",
  changed: (count: number, written: string) => (count === 1 ? "1 link gewijzigd" : `${written} links gewijzigd`),
  deleted: (count: number, written: string) => (count === 1 ? "1 link verwijderd" : `${written} links verwijderd`),
  failed: (count: number, written: string) =>
    count === 1 ? "1 link kon niet worden gewijzigd" : `${written} links konden niet worden gewijzigd`,
  confirm: {
    title: (count: number, written: string) => (count === 1 ? "1 link verwijderen?" : `${written} links verwijderen?`),
    text: "Ze werken direct niet meer en hun slugs komen vrij voor anderen. De cijfers blijven bewaard. Dit kan niet ongedaan worden gemaakt.",
  },
};
