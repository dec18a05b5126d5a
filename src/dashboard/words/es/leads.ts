import type { Words } from "../../words";

export const esLeads: Words["leads"] = {
  empty: {
    title: "Aún no hay leads",
    text: "Aquí aparece lo que los visitantes escriben en el formulario de este enlace.",
  },
  at: "Fecha",
  entered: "Datos",
  actions: "Acciones",
  download: "Descargar CSV",
  deleteOf: (at: string) => `Eliminar el lead del ${at}`,
  deleted: "Lead eliminado",
  confirm: {
    title: "¿Eliminar este lead?",
    text: "Se borran los datos que envió el visitante. El lead sigue contando en todas las estadísticas. No se puede deshacer.",
  },
};
