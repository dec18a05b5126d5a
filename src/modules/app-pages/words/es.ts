import type { AccountWords } from "../words";

export const accountsEs: AccountWords = {
  dir: "ltr",
  fields: {
    name: "Tu nombre",
    email: "Correo electrónico",
    password: "Contraseña",
    newPassword: "Contraseña nueva",
    organization: "Nombre de tu organización",
    code: "Código",
  },
  hints: {
    password: "De 8 a 128 caracteres",
    code: "Seis cifras de tu aplicación de autenticación, o un código de recuperación",
  },
  faults: {
    required: "Rellena este campo.",
    email: "Escribe un correo electrónico, como nombre@example.com.",
    emailTaken: "Ya hay una cuenta con este correo electrónico.",
    passwordLength: "Elige de 8 a 128 caracteres.",
    passwordWeak: "Esta contraseña es demasiado fácil de adivinar. Elige otra.",
  },
  alerts: {
    check: "Revisa los campos marcados.",
    tooMany: (wait) => `Ha habido demasiados intentos. Inténtalo de nuevo ${wait}.`,
    unavailable: "Ahora mismo no está disponible. Inténtalo de nuevo en breve.",
    failed: "Algo ha fallado por nuestra parte. Inténtalo de nuevo.",
    forbidden: "No tienes acceso a esto. Pregunta a quien gestiona este servicio.",
    foreign: "Este formulario se envió desde otra página. Rellénalo aquí.",
  },
  home: {
    needsScript: "El panel necesita JavaScript.",
    signedInAs: "Has entrado como",
    signOut: "Cerrar sesión",
  },
  signIn: {
    title: "Iniciar sesión",
    button: "Iniciar sesión",
    sso: "Entrar con acceso único",
    ssoOf: "Entrar a través de tu organización",
    forgotten: "¿Has olvidado la contraseña?",
    register: "Crear una cuenta",
    wrong: "El correo electrónico o la contraseña no son correctos.",
  },
  ssoStart: {
    title: "Acceso único",
    organization: "Nombre corto de tu organización",
    hint: "Está en la dirección de tu panel: …/app/o/nombre-corto",
    button: "Continuar",
    password: "Entrar con contraseña",
  },
  code: {
    title: "Segundo paso",
    text: "Tu cuenta pide además un código.",
    button: "Continuar",
    wrong: "El código no es correcto, ya se ha usado o ha tardado demasiado.",
    again: "Empezar de nuevo",
  },
  register: {
    title: "Crear una cuenta",
    button: "Crear la cuenta",
    signIn: "Ya tengo una cuenta",
    refused:
      "Aquí no puedes crear tú una cuenta. Pide una invitación a tu organización o pregunta a quien gestiona este servicio.",
  },
  forgot: {
    title: "¿Has olvidado la contraseña?",
    text: "Te enviaremos un enlace para elegir una nueva.",
    button: "Enviar el enlace",
    sent: {
      title: "Revisa tu correo",
      text: "Si hay una cuenta con esta dirección, un enlace está en camino. Solo se puede usar una vez, durante una hora.",
    },
    noMail: "Este servicio no envía correos. Pide a quien lo gestiona que restablezca tu contraseña.",
  },
  reset: {
    title: "Elegir una contraseña nueva",
    button: "Guardar la contraseña",
    over: "Este enlace ya se ha usado, se ha sustituido por otro más reciente o tiene más de una hora.",
    again: "Enviar un enlace nuevo",
  },
  verify: {
    title: "Confirma tu correo electrónico",
    text: "Confirma solo si has creado tú esta cuenta. Quien la creó se queda con ella.",
    button: "Confirmar",
    notMe: "No he sido yo: recuperar el correo con una contraseña nueva",
    done: { title: "Tu correo está confirmado", text: "Puedes continuar." },
    over: {
      title: "Este enlace ya no es válido",
      text: "Tiene más de una semana, o la cuenta ya no existe. Inicia sesión para pedir uno nuevo.",
    },
    ask: "Confirma tu correo electrónico: te hemos enviado un enlace. Hasta entonces no puedes invitar a nadie.",
    again: "Enviar el enlace otra vez",
    sent: { title: "Revisa tu correo", text: "Un enlace nuevo está en camino. Caduca en una semana." },
  },
  invite: {
    title: "Invitación a",
    text: "Te unes con este correo electrónico:",
    register: "Crear la cuenta y unirse",
    signIn: "Iniciar sesión y unirse",
    hasAccount: "Ya tengo una cuenta",
    hasNone: "Todavía no tengo cuenta",
    over: {
      title: "Esta invitación ya no es válida",
      text: "Ya se ha usado, se ha retirado o ha caducado. Pide una nueva.",
    },
  },
  older: {
    title: "Este enlace es de un correo antiguo",
    reset: "Por tu seguridad, los enlaces como este ya no sirven para cambiar la contraseña. Pide un enlace nuevo.",
    invite:
      "Por tu seguridad, los enlaces como este ya no sirven para aceptar una invitación. Pide una invitación nueva.",
  },
  done: {
    signedOut: "Has cerrado la sesión.",
    password: "Tu contraseña nueva está guardada. Ya puedes entrar con ella.",
  },
  sso: {
    unknown: "Esta dirección no lleva a ninguna organización con inicio de sesión único. Compruébala.",
    again: "Este inicio de sesión ha caducado. Empieza de nuevo.",
    email: "El proveedor de identidad de tu organización no confirma ningún correo con permiso para entrar aquí.",
    unconfirmed:
      "Una cuenta con tu correo electrónico aún no está confirmada. Confírmala con el enlace que enviamos a esa dirección o restablece su contraseña.",
    closed: "Aquí las cuentas las crea quien gestiona este servicio. Pídele una.",
    provider: "El proveedor de identidad de tu organización no te ha dejado entrar.",
    full: "Tu organización no puede añadir otro miembro.",
    tooMany: "Demasiadas personas están iniciando sesión desde tu red. Inténtalo de nuevo en un minuto.",
    failed: "El inicio de sesión ha fallado por nuestra parte. Inténtalo de nuevo.",
  },
  moment: { title: "Un momento", text: "Te estamos redirigiendo.", goOn: "Continuar" },
  missing: { title: "Aquí no hay nada", text: "Esta página no existe.", home: "Ir al inicio" },
  unloaded: { text: "El panel todavía no se ha cargado.", again: "Recargar la página" },
};
