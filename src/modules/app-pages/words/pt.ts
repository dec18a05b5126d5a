import type { AccountWords } from "../words";

export const accountsPt: AccountWords = {
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
    tooMany: (wait) => `Foram tentativas demais. Tente de novo ${wait}.`,
    unavailable: "Isto não está disponível agora. Tente de novo em breve.",
    failed: "Algo deu errado do nosso lado. Tente de novo.",
    forbidden: "Você não tem acesso a isto. Fale com quem administra este serviço.",
    foreign: "Este formulário foi enviado de outra página. Preencha-o aqui.",
  },
  home: {
    needsScript: "O painel precisa de JavaScript.",
    signedInAs: "Você entrou como",
    signOut: "Sair",
  },
  signIn: {
    title: "Entrar",
    button: "Entrar",
    sso: "Entrar com login único",
    ssoOf: "Entrar pela sua organização",
    forgotten: "Esqueceu a senha?",
    register: "Criar uma conta",
    wrong: "O endereço de e-mail ou a senha estão errados.",
  },
  ssoStart: {
    title: "Login único",
    organization: "Nome curto da sua organização",
    hint: "Ele aparece no endereço do seu painel: …/app/o/nome-curto",
    button: "Continuar",
    password: "Entrar com senha",
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
    refused:
      "Aqui você não pode criar uma conta diretamente. Peça um convite à sua organização ou fale com quem administra este serviço.",
  },
  forgot: {
    title: "Esqueceu a senha?",
    text: "Enviaremos um link para você escolher uma nova.",
    button: "Enviar o link",
    sent: {
      title: "Veja a sua caixa de entrada",
      text: "Se existir uma conta com este endereço, um link está a caminho. Ele pode ser usado uma vez, dentro de uma hora.",
    },
    noMail: "Este serviço não envia e-mails. Peça a quem o administra que redefina a sua senha.",
  },
  reset: {
    title: "Escolher uma nova senha",
    button: "Salvar a senha",
    over: "Este link já foi usado, foi substituído por um mais recente ou tem mais de uma hora.",
    again: "Enviar um novo link",
  },
  verify: {
    title: "Confirme o seu endereço de e-mail",
    text: "Confirme só se foi você quem criou esta conta. Quem a criou fica com ela.",
    button: "Confirmar",
    notMe: "Não fui eu: recuperar o endereço com uma nova senha",
    done: { title: "O seu endereço está confirmado", text: "Você pode continuar." },
    over: {
      title: "Este link não é mais válido",
      text: "Ele tem mais de uma semana, ou a conta não existe mais. Entre para pedir um novo.",
    },
    ask: "Confirme o seu endereço de e-mail: enviamos um link para você. Até lá, você não pode convidar ninguém.",
    again: "Enviar o link de novo",
    sent: { title: "Veja a sua caixa de entrada", text: "Um novo link está a caminho. Ele é válido por uma semana." },
  },
  invite: {
    title: "Convite para",
    text: "Você vai participar com este endereço de e-mail:",
    register: "Criar a conta e participar",
    signIn: "Entrar e participar",
    hasAccount: "Já tenho uma conta",
    hasNone: "Ainda não tenho conta",
    over: {
      title: "Este convite não é mais válido",
      text: "Ele já foi usado, foi retirado ou expirou. Peça um novo.",
    },
  },
  older: {
    title: "Este link é de um e-mail antigo",
    reset: "Para sua segurança, links como este não servem mais para definir uma senha. Peça um novo link.",
    invite: "Para sua segurança, links como este não servem mais para aceitar um convite. Peça um novo convite.",
  },
  done: {
    signedOut: "Você saiu.",
    password: "A sua nova senha foi salva. Você já pode entrar com ela.",
  },
  sso: {
    unknown: "Este endereço não leva a nenhuma organização com login único. Verifique-o.",
    again: "Este login expirou. Comece de novo.",
    email:
      "O provedor de identidade da sua organização não confirma nenhum endereço de e-mail com permissão para entrar aqui.",
    unconfirmed:
      "Uma conta com o seu endereço de e-mail ainda não foi confirmada. Confirme-a com o link que enviamos para esse endereço ou redefina a senha dela.",
    closed: "Aqui, as contas são criadas por quem administra este serviço. Peça uma.",
    provider: "O provedor de identidade da sua organização não permitiu a sua entrada.",
    full: "A sua organização não pode adicionar outro membro.",
    tooMany: "Há pessoas demais fazendo login a partir da sua rede. Tente de novo em um minuto.",
    failed: "O login falhou do nosso lado. Tente de novo.",
  },
  moment: { title: "Um momento", text: "Você está sendo redirecionado.", goOn: "Continuar" },
  missing: { title: "Nada por aqui", text: "Esta página não existe.", home: "Ir para o início" },
  unloaded: { text: "O painel ainda não foi carregado.", again: "Recarregar a página" },
};
