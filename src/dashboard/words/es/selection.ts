import type { Words } from "../../words";
import { enlaces } from "./links";

export const esSelection: Words["selection"] = {
  count: (count: number, written: string) => (count === 1 ? "1 seleccionado" : `${written} seleccionados`),
  matching: (written: string) => `Seleccionar los ${written}`,
  newest: (written: string) => `Seleccionar los ${written} más recientes`,
  clear: "Quitar selección",
  tag: "Añadir etiqueta",
  tagLabel: "Etiqueta que quieres añadir",
  pause: "Pausar",
  resume: "Reanudar",
  archive: "Archivar",
  delete: "Eliminar",
  qr: {
    act: "Códigos QR",
    title: (count: number) => (count === 1 ? "Código QR de 1 enlace" : `Códigos QR de ${count} enlaces`),
    format: "Tipo de archivo",
    formats: { svg: "SVG, para imprimir en cualquier tamaño", png: "PNG, 1024 píxeles de ancho" },
    download: "Descargar ZIP",
    progress: (done: string, total: string) => `${done} de ${total}`,
    waiting: "Se ha alcanzado el límite de solicitudes. La descarga continuará sola en un momento.",
    tooMany: (max: number) => `Selecciona como máximo ${max} enlaces por descarga.`,
    saved: (count: number) => (count === 1 ? "1 código QR descargado" : `${count} códigos QR descargados`),
    failed: (count: number) =>
      count === 1 ? "Falta 1 código en la descarga:" : `Faltan ${count} códigos en la descarga:`,
    failedOne: (shortUrl: string, why: string) => `${shortUrl}: ${why}`,
  },
  waiting: (seconds: number) =>
    `Se ha alcanzado el límite de tu plan. El cambio continúa en ${seconds === 1 ? "1 segundo" : `${seconds} segundos`}.`,
  canceling: "Cancelando. Los cambios ya enviados se aplican.",
  changed: (count: number, written: string) => (count === 1 ? "1 enlace modificado" : `${written} enlaces modificados`),
  deleted: (count: number, written: string) => (count === 1 ? "1 enlace eliminado" : `${written} enlaces eliminados`),
  failed: (count: number, written: string) =>
    count === 1 ? "1 enlace no se ha podido modificar" : `${written} enlaces no se han podido modificar`,
  confirm: {
    title: (count: number, written: string) => `¿Eliminar ${enlaces(count, written)}?`,
    text: "Dejarán de funcionar al instante y sus slugs quedarán libres para otros. Sus estadísticas se conservan. No se puede deshacer.",
  },
};
