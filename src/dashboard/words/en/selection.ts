export const enSelection = {
  count: (_: number, written: string) => `${written} selected`,
  matching: (written: string) => `Select all ${written}`,
  newest: (written: string) => `Select the newest ${written}`,
  clear: "Clear selection",
  tag: "Add tag",
  tagLabel: "Tag to add",
  pause: "Pause",
  resume: "Resume",
  archive: "Archive",
  delete: "Delete",
  qr: {
    act: "QR codes",
    title: (count: number) => (count === 1 ? "QR code of 1 link" : `QR codes of ${count} links`),
    format: "File type",
    formats: { svg: "SVG, for print at any size", png: "PNG, 1,024 pixels wide" },
    download: "Download ZIP",
    progress: (done: string, total: string) => `${done} of ${total}`,
    waiting: "The request limit is reached. The download continues automatically in a moment.",
    tooMany: (max: number) => `Select at most ${max} links for one download.`,
    saved: (count: number) => (count === 1 ? "1 QR code downloaded" : `${count} QR codes downloaded`),
    failed: (count: number) =>
      count === 1 ? "1 code is missing from the download:" : `${count} codes are missing from the download:`,
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `Your plan's rate limit is reached. The change continues in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`,
  canceling: "Canceling. Changes already sent take effect.",
  changed: (count: number, written: string) => (count === 1 ? "1 link changed" : `${written} links changed`),
  deleted: (count: number, written: string) => (count === 1 ? "1 link deleted" : `${written} links deleted`),
  failed: (count: number, written: string) =>
    count === 1 ? "1 link could not be changed" : `${written} links could not be changed`,
  confirm: {
    title: (count: number, written: string) => (count === 1 ? "Delete 1 link?" : `Delete ${written} links?`),
    text: "They stop working immediately, and their slugs become available to others. Their figures are kept. This cannot be undone.",
  },
};
