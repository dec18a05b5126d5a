import type { Words } from "../../words";

export const itSelection: Words["selection"] = {
  count: (count: number, written: string) => (count === 1 ? "1 selezionato" : `${written} selezionati`),
  matching: (written: string) => `Seleziona tutti e ${written}`,
  newest: (written: string) => `Seleziona i ${written} più recenti`,
  clear: "Deseleziona",
  tag: "Aggiungi tag",
  tagLabel: "Tag da aggiungere",
  pause: "Pausa",
  resume: "Riprendi",
  archive: "Archivia",
  delete: "Elimina",
  qr: {
    act: "Codici QR",
    title: (count: number) => (count === 1 ? "Codice QR di 1 link" : `Codici QR di ${count} link`),
    format: "Tipo di file",
    formats: { svg: "SVG, per la stampa in ogni formato", png: "PNG, largo 1024 pixel" },
    download: "Scarica ZIP",
    progress: (done: string, total: string) => `${done} di ${total}`,
    waiting: "Il limite di richieste è stato raggiunto. Il download riprende da solo tra un momento.",
    tooMany: (max: number) => `Seleziona al massimo ${max} link per ogni download.`,
    saved: (count: number) => (count === 1 ? "1 codice QR scaricato" : `${count} codici QR scaricati`),
    failed: (count: number) => (count === 1 ? "Nel download manca 1 codice:" : `Nel download mancano ${count} codici:`),
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `Il limite del tuo piano è raggiunto. La modifica riprende tra ${seconds === 1 ? "1 secondo" : `${seconds} secondi`}.`,
  canceling: "Annullamento in corso. Le modifiche già inviate valgono.",
  changed: (count: number, written: string) => (count === 1 ? "1 link modificato" : `${written} link modificati`),
  deleted: (count: number, written: string) => (count === 1 ? "1 link eliminato" : `${written} link eliminati`),
  failed: (_: number, written: string) => `Non è stato possibile modificare ${written} link`,
  confirm: {
    title: (_: number, written: string) => `Eliminare ${written} link?`,
    text: "Smettono subito di funzionare e i loro slug tornano liberi per altri. Le loro statistiche restano. Non si può annullare.",
  },
};
