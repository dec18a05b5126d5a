import type { Words } from "../../words";

export const deSelection: Words["selection"] = {
  count: (_: number, written: string) => `${written} ausgewählt`,
  matching: (written: string) => `Alle ${written} auswählen`,
  newest: (written: string) => `Die neuesten ${written} auswählen`,
  clear: "Auswahl aufheben",
  tag: "Tag hinzufügen",
  tagLabel: "Name des Tags",
  pause: "Pausieren",
  resume: "Fortsetzen",
  archive: "Archivieren",
  delete: "Löschen",
  qr: {
    act: "QR-Codes",
    title: (count: number) => (count === 1 ? "QR-Code für 1 Link" : `QR-Codes für ${count} Links`),
    format: "Dateityp",
    formats: { svg: "SVG, für Druck in jeder Größe", png: "PNG, 1.024 Pixel breit" },
    download: "ZIP herunterladen",
    progress: (done: string, total: string) => `${done} von ${total}`,
    waiting: "Das Anfragelimit ist erreicht. Der Download geht gleich von selbst weiter.",
    tooMany: (max: number) => `Wählen Sie höchstens ${max} Links für einen Download aus.`,
    saved: (count: number) => (count === 1 ? "1 QR-Code heruntergeladen" : `${count} QR-Codes heruntergeladen`),
    failed: (count: number) => (count === 1 ? "1 Code fehlt im Download:" : `${count} Codes fehlen im Download:`),
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `Das Limit Ihres Tarifs ist erreicht. Die Änderung geht in ${seconds} ${seconds === 1 ? "Sekunde" : "Sekunden"} weiter.`,
  canceling: "Wird abgebrochen. Bereits gesendete Änderungen gelten.",
  changed: (count: number, written: string) => (count === 1 ? "1 Link geändert" : `${written} Links geändert`),
  deleted: (count: number, written: string) => (count === 1 ? "1 Link gelöscht" : `${written} Links gelöscht`),
  failed: (count: number, written: string) =>
    count === 1 ? "1 Link ließ sich nicht ändern" : `${written} Links ließen sich nicht ändern`,
  confirm: {
    title: (count: number, written: string) => (count === 1 ? "1 Link löschen?" : `${written} Links löschen?`),
    text: "Die Links funktionieren dann sofort nicht mehr, und ihre Slugs werden für andere frei. Die Statistik bleibt erhalten. Das lässt sich nicht rückgängig machen.",
  },
};
