import type { Words } from "../words";

const nothing = {
  title: "Página não encontrada",
  text: "Não há nenhum link neste endereço",
  hint: "Verifique se ele foi digitado corretamente ou peça um novo a quem o enviou.",
};
const password = { title: "Senha necessária", text: "Este link é protegido por senha" };
const moment = "Um momento";

export const pt: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Este link está bloqueado",
      text: "O destino pode não ser seguro, por isso não o abrimos",
      hint: "Se você esperava outra coisa, avise quem o enviou.",
    },
    expired: {
      title: "Este link expirou",
      text: "Ele só era válido até uma determinada data",
      hint: "Peça um novo link a quem o enviou.",
    },
    max_clicks_reached: {
      title: "Este link não está mais disponível",
      text: "Ele só podia ser aberto um número limitado de vezes",
      hint: "Peça um novo link a quem o enviou.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Antes de continuar", text: "Preencha o formulário para abrir este link" },
    form_too_large: {
      title: "Texto demais",
      text: "O formulário é grande demais",
      hint: "Volte e encurte as suas respostas.",
    },
    malformed: {
      title: "Isto não é um link",
      text: "O endereço contém algo que não deveria estar ali",
      hint: "Verifique se ele foi digitado corretamente ou peça um novo a quem o enviou.",
    },
    method: { title: "Não permitido", text: "Links curtos aceitam apenas GET e HEAD, e POST para os seus formulários" },
    busy: { title: moment, text: "Há senhas demais sendo verificadas agora", hint: "Tente de novo em um momento." },
    probing: {
      title: moment,
      text: "Houve tentativas demais a partir da sua rede",
      hint: "Aguarde um minuto e tente de novo.",
    },
    attempts: { title: moment, text: "Houve tentativas demais", hint: "Aguarde um minuto e tente de novo." },
    unavailable: { title: moment, text: "Não é possível abrir este link agora", hint: "Tente de novo em um momento." },
  },
  password: {
    label: "Senha",
    ask: "Digite a senha para continuar.",
    wrong: "A senha está incorreta. Tente de novo.",
  },
  goOn: "Continuar",
  lead: {
    title: "Antes de continuar",
    button: "Continuar",
    required: "obrigatório",
    email: "Endereço de e-mail",
    check: "Verifique os campos marcados.",
    again: "Demorou demais. Envie o formulário outra vez.",
    tooMany: "Foram enviados formulários demais a partir da sua rede. Tente de novo em um minuto.",
    unavailable: "As suas respostas não podem ser salvas agora. Tente de novo em breve.",
    faults: {
      required: "Preencha este campo.",
      length: "Este texto é longo demais.",
      characters: "Este texto tem caracteres que não podem ser salvos.",
      email: "Digite um endereço de e-mail, como nome@example.com.",
      tel: "Digite um número de telefone.",
      url: "Digite um endereço que comece com http:// ou https://.",
      number: "Digite um número.",
      checkbox: "Marque esta caixa.",
    },
  },
  cta: { title: "Antes de continuar", onward: "Você está indo para" },
  store: {
    title: "Baixar o aplicativo",
    text: "Você o encontra na App Store. Depois de instalado, ele abre o link em que você tocou",
    button: "Baixar o aplicativo",
    web: "Continuar no navegador",
  },
  inApp: {
    title: "Abrir no aplicativo",
    text: "Este conteúdo abre melhor no aplicativo.",
    button: "Abrir o aplicativo",
    byBrowser: {
      text: "Abra esta página no navegador para continuar no aplicativo.",
      button: "Abrir no navegador",
      otherwise: "Se nada acontecer, escolha “Abrir no navegador” no menu deste aplicativo.",
      here: "Continuar aqui",
    },
  },
  passing: { title: moment, text: "Redirecionando você" },
  home: "Ir para a página inicial",
  help: "Ajuda",
  retry: "Tentar de novo",
  back: "Voltar",
  owner: (host, name) => `${host} pertence a ${name}.`,
  shared: (host) => `Os links em ${host} vêm de muitos remetentes diferentes.`,
};
