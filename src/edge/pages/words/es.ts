import type { Words } from "../words";

const nothing = {
  title: "Página no encontrada",
  text: "No hay ningún enlace en esta dirección",
  hint: "Comprueba que esté bien escrita o pide otro enlace a quien te lo envió.",
};
const password = { title: "Se necesita una contraseña", text: "Este enlace está protegido con contraseña" };
const moment = "Un momento";

export const es: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Este enlace está bloqueado",
      text: "Es posible que su destino no sea seguro, por eso no lo abrimos",
      hint: "Si esperabas otra cosa, avisa a quien te lo envió.",
    },
    expired: {
      title: "Este enlace ha caducado",
      text: "Solo era válido hasta cierta fecha",
      hint: "Pide otro enlace a quien te lo envió.",
    },
    max_clicks_reached: {
      title: "Este enlace ya no está disponible",
      text: "Solo se podía abrir un número limitado de veces",
      hint: "Pide otro enlace a quien te lo envió.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Antes de continuar", text: "Rellena el formulario para abrir este enlace" },
    form_too_large: {
      title: "Demasiado texto",
      text: "El formulario es demasiado grande",
      hint: "Vuelve atrás y acorta tus respuestas.",
    },
    malformed: {
      title: "Esto no es un enlace",
      text: "La dirección contiene algo que no debería estar ahí",
      hint: "Comprueba que esté bien escrita o pide otro enlace a quien te lo envió.",
    },
    method: { title: "No permitido", text: "Los enlaces cortos solo admiten GET y HEAD, y POST para sus formularios" },
    busy: {
      title: moment,
      text: "Se están comprobando demasiadas contraseñas",
      hint: "Inténtalo de nuevo en un momento.",
    },
    probing: {
      title: moment,
      text: "Ha habido demasiados intentos desde tu red",
      hint: "Espera un minuto y vuelve a intentarlo.",
    },
    attempts: { title: moment, text: "Ha habido demasiados intentos", hint: "Espera un minuto y vuelve a intentarlo." },
    unavailable: {
      title: moment,
      text: "Este enlace no se puede abrir en este momento",
      hint: "Inténtalo de nuevo en un momento.",
    },
  },
  password: {
    label: "Contraseña",
    ask: "Escribe la contraseña para continuar.",
    wrong: "La contraseña no es correcta. Inténtalo de nuevo.",
  },
  goOn: "Continuar",
  lead: {
    title: "Antes de continuar",
    button: "Continuar",
    required: "obligatorio",
    email: "Correo electrónico",
    check: "Revisa los campos marcados.",
    again: "Ha pasado demasiado tiempo. Envía el formulario otra vez.",
    tooMany: "Desde tu red se han enviado demasiados formularios. Inténtalo de nuevo en un minuto.",
    unavailable: "Ahora mismo no se pueden guardar tus respuestas. Inténtalo de nuevo en breve.",
    faults: {
      required: "Rellena este campo.",
      length: "Es demasiado largo.",
      characters: "Contiene caracteres que no se pueden guardar.",
      email: "Escribe un correo electrónico, como nombre@example.com.",
      tel: "Escribe un número de teléfono.",
      url: "Escribe una dirección web que empiece por http:// o https://.",
      number: "Escribe un número.",
      checkbox: "Marca esta casilla.",
    },
  },
  cta: { title: "Antes de continuar", onward: "Vas a visitar" },
  store: {
    title: "Consigue la aplicación",
    text: "La encontrarás en el App Store. Cuando la instales, abrirá lo que has tocado",
    button: "Conseguir la aplicación",
    web: "Continuar en el navegador",
  },
  inApp: {
    title: "Abrir en la aplicación",
    text: "Este contenido se abre mejor en la aplicación.",
    button: "Abrir la aplicación",
    byBrowser: {
      text: "Abre esta página en tu navegador para continuar en la aplicación.",
      button: "Abrir en el navegador",
      otherwise: "Si no ocurre nada, elige «Abrir en el navegador» en el menú de esta aplicación.",
      here: "Continuar aquí",
    },
  },
  passing: { title: moment, text: "Te estamos redirigiendo" },
  home: "Ir a la página de inicio",
  help: "Ayuda",
  retry: "Intentar de nuevo",
  back: "Volver",
  owner: (host, name) => `${host} pertenece a ${name}.`,
  shared: (host) => `Los enlaces de ${host} vienen de muchos remitentes distintos.`,
};
