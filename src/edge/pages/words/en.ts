import type { Words } from "../words";

const nothing = { title: "Nothing here", text: "There is no such link" };
const password = { title: "Password needed", text: "This link needs a password" };
const moment = "One moment";
const ended = "This link has ended";

export const en: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: { title: "Unsafe link", text: "This link is blocked because its destination is unsafe" },
    expired: { title: ended, text: "This link has expired" },
    max_clicks_reached: { title: ended, text: "This link has been used up" },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Before you go on", text: "This link asks for a form to be filled in first" },
    form_too_large: { title: "Too much text", text: "The form is too large" },
    malformed: { title: "Not a link", text: "The address is malformed" },
    method: { title: "Not allowed", text: "Short links answer GET and HEAD" },
    busy: { title: moment, text: "Too many password checks at once; try again in a moment" },
    probing: {
      title: moment,
      text: "Too many links that do not exist were asked for from here; try again in a minute",
    },
    attempts: { title: moment, text: "Too many passwords were tried; try again in a minute" },
    unavailable: { title: moment, text: "The link cannot be looked up right now; try again shortly" },
  },
  password: {
    label: "Password",
    ask: "Enter the password to go on.",
    wrong: "The password is wrong. Try again.",
  },
  goOn: "Continue",
  lead: {
    title: "Before you go on",
    button: "Continue",
    required: "required",
    email: "Email address",
    check: "Please look at the marked fields.",
    again: "That took a long time. Please send the form again.",
    tooMany: "Too many forms were sent from here. Please try again in a minute.",
    unavailable: "Your answers cannot be saved right now. Please try again shortly.",
    faults: {
      required: "Please fill this in.",
      length: "This is too long.",
      characters: "This has characters that cannot be saved.",
      email: "Please enter an email address, like name@example.com.",
      tel: "Please enter a telephone number.",
      url: "Please enter a web address that starts with http:// or https://.",
      number: "Please enter a number.",
      checkbox: "Please tick this box.",
    },
  },
  cta: { title: "Before you go on" },
  store: {
    title: "Get the app",
    text: "What you tapped opens in the app once it is installed.",
    button: "Go to the App Store",
  },
  inApp: {
    title: "Open in the app",
    text: "This opens best in the app.",
    button: "Open the app",
  },
  passing: { title: moment, text: "You are being taken there" },
  help: "Help",
};
