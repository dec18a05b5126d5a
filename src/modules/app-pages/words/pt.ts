import type { Words } from "../words";

export const pt: Words = {
  dir: "ltr",
  fields: {
    name: "Seu nome",
    email: "Endereço de e-mail",
    password: "Senha",
    newPassword: "Nova senha",
    organization: "Nome da sua organização",
    code: "Código",
  },
  hints: {
    password: "De 8 a 128 caracteres",
    code: "Seis dígitos do seu aplicativo autenticador, ou um código de recuperação",
  },
  faults: {
    required: "Preencha este campo.",
    email: "Digite um endereço de e-mail, como nome@example.com.",
    emailTaken: "Já existe uma conta com este endereço de e-mail.",
    passwordLength: "Escolha de 8 a 128 caracteres.",
    passwordWeak: "Esta senha é fácil demais de adivinhar. Escolha outra.",
  },
  alerts: {
    check: "Verifique os campos marcados.",
    tooMany: "Foram tentativas demais. Tente de novo em um minuto.",
    unavailable: "Isto não funciona agora. Tente de novo em breve.",
    failed: "Algo deu errado do nosso lado. Tente de novo.",
    forbidden: "Isto não está aberto para você. Fale com quem administra este serviço.",
    foreign: "Este formulário foi enviado de outra página. Preencha-o aqui.",
  },
  home: {
    title: "Você entrou",
    text: "O painel está a caminho. Até lá, tudo é feito pela API.",
    signedInAs: "Você entrou como",
    organizations: "Suas organizações",
    signOut: "Sair",
  },
  signIn: {
    title: "Entrar",
    button: "Entrar",
    forgotten: "Esqueceu a senha?",
    register: "Criar uma conta",
    wrong: "O endereço de e-mail ou a senha está errado.",
  },
  code: {
    title: "Segunda etapa",
    text: "A sua conta também pede um código.",
    button: "Continuar",
    wrong: "O código está errado, já foi usado ou demorou demais.",
    again: "Começar de novo",
  },
  register: {
    title: "Criar uma conta",
    button: "Criar a conta",
    signIn: "Já tenho uma conta",
  },
  forgot: {
    title: "Esqueceu a senha?",
    text: "Enviaremos um link para você escolher uma nova.",
    button: "Enviar o link",
    sent: {
      title: "Veja a sua caixa de entrada",
      text: "Se existir uma conta com este endereço, um link está a caminho. Ele vale uma vez, durante uma hora.",
    },
    noMail: "Este serviço não envia e-mails. Peça a quem o administra que redefina a sua senha.",
  },
  reset: {
    title: "Escolher uma nova senha",
    button: "Salvar a senha",
    over: "Este link já foi usado, foi substituído por um mais recente ou tem mais de uma hora.",
    again: "Enviar um novo link",
  },
  invite: {
    title: "Convite para",
    text: "Você entra com este endereço de e-mail:",
    register: "Criar a conta e participar",
    signIn: "Entrar e participar",
    hasAccount: "Já tenho uma conta",
    hasNone: "Ainda não tenho conta",
    over: {
      title: "Este convite já não vale",
      text: "Ele já foi usado, foi retirado ou expirou. Peça um novo.",
    },
  },
  done: {
    signedOut: "Você saiu.",
    password: "A sua nova senha está salva. Você já pode entrar com ela.",
  },
  sso: {
    again: "Esta entrada terminou. Comece de novo.",
    email: "O provedor da sua organização não confirma um endereço de e-mail que possa entrar.",
    provider: "O provedor da sua organização não permitiu a sua entrada.",
    full: "A sua organização não tem lugar para mais um membro.",
    failed: "A entrada falhou do nosso lado. Tente de novo.",
  },
  moment: { title: "Um momento", text: "Você está sendo redirecionado.", goOn: "Continuar" },
  missing: { title: "Nada por aqui", text: "Esta página não existe.", home: "Ir para o início" },
};
