import type { Words } from "../../words";
import { linksOf } from "./links";

export const ptSelection: Words["selection"] = {
  count: (count: number, written: string) => (count < 2 ? `${written} selecionado` : `${written} selecionados`),
  matching: (written: string) => `Selecionar todos os ${written}`,
  newest: (written: string) => `Selecionar os ${written} mais recentes`,
  clear: "Limpar seleção",
  tag: "Adicionar tag",
  tagLabel: "Tag a adicionar",
  pause: "Pausar",
  resume: "Retomar",
  archive: "Arquivar",
  delete: "Excluir",
  qr: {
    act: "QR Codes",
    title: (count: number) => `${count < 2 ? "QR Code" : "QR Codes"} de ${linksOf(count)}`,
    format: "Tipo de arquivo",
    formats: { svg: "SVG, para impressão em qualquer tamanho", png: "PNG, 1.024 pixels de largura" },
    download: "Baixar ZIP",
    progress: (done: string, total: string) => `${done} de ${total}`,
    waiting: "O limite de solicitações foi atingido. O download continua sozinho em instantes.",
    tooMany: (max: number) => `Selecione no máximo ${max} links por download.`,
    saved: (count: number) => (count < 2 ? `${count} QR Code baixado` : `${count} QR Codes baixados`),
    failed: (count: number) =>
      count < 2 ? `Falta ${count} código no download:` : `Faltam ${count} códigos no download:`,
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `O limite do seu plano foi atingido. A alteração continua em ${seconds < 2 ? `${seconds} segundo` : `${seconds} segundos`}.`,
  canceling: "Cancelando. As alterações já enviadas são aplicadas.",
  changed: (count: number, written: string) => (count < 2 ? `${written} link alterado` : `${written} links alterados`),
  deleted: (count: number, written: string) => (count < 2 ? `${written} link excluído` : `${written} links excluídos`),
  failed: (count: number, written: string) =>
    count < 2 ? `${written} link não pôde ser alterado` : `${written} links não puderam ser alterados`,
  confirm: {
    title: (count: number, written: string) => `Excluir ${linksOf(count, written)}?`,
    text: "Eles deixam de funcionar na hora, e os slugs ficam livres para outros. As estatísticas são mantidas. Não é possível desfazer.",
  },
};
