import type { Words } from "../words";

const nothing = { title: "Não há nada aqui", text: "Este link não existe" };
const password = { title: "Senha necessária", text: "Este link pede uma senha" };
const moment = "Um momento";
const ended = "Este link terminou";

export const pt: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Link perigoso", text: "Este link está bloqueado porque o seu destino é perigoso" },
    expired: { title: ended, text: "Este link expirou" },
    max_clicks_reached: { title: ended, text: "Este link atingiu o limite de visitas" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Antes de continuar", text: "Preencha primeiro o formulário para abrir este link" },
    form_too_large: { title: "Texto demais", text: "O formulário é grande demais" },
    malformed: { title: "Não é um link", text: "O endereço está incorreto" },
    method: { title: "Não permitido", text: "Links curtos aceitam apenas GET e HEAD" },
    busy: { title: moment, text: "Há senhas demais sendo verificadas ao mesmo tempo; tente de novo em um momento" },
    probing: { title: moment, text: "Muitas tentativas; aguarde um minuto" },
    attempts: { title: moment, text: "Muitas tentativas; tente de novo em um minuto" },
    unavailable: { title: moment, text: "Este link não está disponível no momento; tente de novo em breve" },
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
    again: "Isso demorou muito. Envie o formulário outra vez.",
    tooMany: "Foram enviados formulários demais a partir daqui. Tente de novo em um minuto.",
    unavailable: "As suas respostas não podem ser guardadas agora. Tente de novo em breve.",
    faults: {
      required: "Preencha este campo.",
      length: "Este texto é longo demais.",
      characters: "Este texto tem caracteres que não podem ser guardados.",
      email: "Digite um endereço de e-mail, como nome@example.com.",
      tel: "Digite um número de telefone.",
      url: "Digite um endereço que comece com http:// ou https://.",
      number: "Digite um número.",
      checkbox: "Marque esta caixa.",
    },
  },
  cta: { title: "Antes de continuar" },
  store: {
    title: "Obter o aplicativo",
    text: "O que você tocou abre no aplicativo assim que estiver instalado.",
    button: "Ir para a App Store",
  },
  inApp: {
    title: "Abrir no aplicativo",
    text: "Isto abre melhor no aplicativo.",
    button: "Abrir o aplicativo",
    byBrowser: {
      text: "Abra esta página no navegador para continuar no aplicativo.",
      button: "Abrir no navegador",
      otherwise: "Se nada acontecer, escolha “Abrir no navegador” no menu deste aplicativo.",
    },
  },
  passing: { title: moment, text: "Redirecionando você" },
  help: "Ajuda",
};
