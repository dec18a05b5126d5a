import type { Words } from "../words";

const nothing = { title: "Aquí no hay nada", text: "Este enlace no existe" };
const password = { title: "Se necesita contraseña", text: "Este enlace pide una contraseña" };
const moment = "Un momento";
const ended = "Este enlace ha terminado";

export const es: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Enlace peligroso", text: "Este enlace está bloqueado porque su destino es peligroso" },
    expired: { title: ended, text: "Este enlace ha caducado" },
    max_clicks_reached: { title: ended, text: "Este enlace ha alcanzado su límite de visitas" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Antes de continuar", text: "Rellena primero el formulario para abrir este enlace" },
    form_too_large: { title: "Demasiado texto", text: "El formulario es demasiado grande" },
    malformed: { title: "No es un enlace", text: "La dirección es incorrecta" },
    method: { title: "No permitido", text: "Los enlaces cortos solo admiten GET y HEAD" },
    busy: {
      title: moment,
      text: "Se están comprobando demasiadas contraseñas a la vez; inténtalo de nuevo en un momento",
    },
    probing: {
      title: moment,
      text: "Demasiados intentos; espera un minuto",
    },
    attempts: {
      title: moment,
      text: "Demasiados intentos; inténtalo de nuevo en un minuto",
    },
    unavailable: { title: moment, text: "Este enlace no está disponible en este momento; inténtalo de nuevo en breve" },
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
    again: "Ha pasado mucho tiempo. Envía el formulario otra vez.",
    tooMany: "Desde aquí se han enviado demasiados formularios. Inténtalo de nuevo en un minuto.",
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
  cta: { title: "Antes de continuar" },
  store: {
    title: "Consigue la aplicación",
    text: "Lo que has tocado se abrirá en la aplicación cuando esté instalada.",
    button: "Ir al App Store",
  },
  inApp: {
    title: "Abrir en la aplicación",
    text: "Esto se abre mejor en la aplicación.",
    button: "Abrir la aplicación",
    byBrowser: {
      text: "Abre esta página en tu navegador para continuar en la aplicación.",
      button: "Abrir en el navegador",
      otherwise: "Si no ocurre nada, elige «Abrir en el navegador» en el menú de esta aplicación.",
    },
  },
  passing: { title: moment, text: "Te estamos redirigiendo" },
  help: "Ayuda",
};
