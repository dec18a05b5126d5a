import type { Words } from "../../words";

export const ptLeads: Words["leads"] = {
  empty: {
    title: "Ainda não há leads",
    text: "Aqui aparece o que os visitantes preenchem no formulário deste link.",
  },
  at: "Data",
  entered: "Dados",
  actions: "Ações",
  download: "Baixar CSV",
  deleteOf: (at: string) => `Excluir o lead de ${at}`,
  deleted: "Lead excluído",
  confirm: {
    title: "Excluir este lead?",
    text: "O que o visitante enviou é apagado. O lead continua contando em todas as estatísticas. Esta ação não pode ser desfeita.",
  },
};
