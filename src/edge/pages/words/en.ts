import type { Words } from "../words";

const nothing = {
  title: "Page not found",
  text: "This link does not exist",
  hint: "Check the address for typing errors, or ask whoever sent it to you for a new one.",
};
const password = { title: "Password required", text: "This link requires a password" };
const moment = "One moment";

export const en: Words = {
  dir: "ltr",
  refusals: {
    unknown: nothing,
    domain_unverified: nothing,
    inactive: nothing,
    not_started: nothing,
    unsafe: {
      title: "Unsafe link",
      text: "This link is blocked because its destination is unsafe",
      hint: "If you expected something else, let whoever sent it to you know.",
    },
    expired: {
      title: "This link has expired",
      text: "It was valid only until a certain date",
      hint: "Ask whoever sent it to you for a new one.",
    },
    max_clicks_reached: {
      title: "This link is no longer available",
      text: "This link has reached its limit of visits",
      hint: "Ask whoever sent it to you for a new one.",
    },
    password_required: password,
    password_incorrect: password,
    lead_required: { title: "Before you continue", text: "Fill in the form to open this link" },
    form_too_large: {
      title: "Too much text",
      text: "The form is too large",
      hint: "Go back and shorten your answers.",
    },
    malformed: {
      title: "This is not a link",
      text: "The address contains something that does not belong there",
      hint: "Check it for typing errors, or ask whoever sent it to you for a new one.",
    },
    method: { title: "Not allowed", text: "Short links support only GET and HEAD, and POST for their forms" },
    busy: { title: moment, text: "Too many passwords are being checked right now", hint: "Try again in a moment." },
    probing: { title: moment, text: "Too many attempts; try again in a minute" },
    attempts: { title: moment, text: "Too many attempts; try again in a minute" },
    unavailable: { title: moment, text: "This link cannot be opened right now", hint: "Try again in a moment." },
  },
  password: {
    label: "Password",
    ask: "Enter the password to continue.",
    wrong: "The password is incorrect. Try again.",
  },
  goOn: "Continue",
  lead: {
    title: "Before you continue",
    button: "Continue",
    required: "required",
    email: "Email address",
    check: "Please check the marked fields.",
    again: "That took too long. Please send the form again.",
    tooMany: "Too many forms were sent from your network. Please try again in a minute.",
    unavailable: "Your answers cannot be saved right now. Please try again shortly.",
    faults: {
      required: "Please fill this in.",
      length: "This is too long.",
      characters: "This contains characters that cannot be saved.",
      email: "Please enter an email address, like name@example.com.",
      tel: "Please enter a phone number.",
      url: "Please enter a web address that starts with http:// or https://.",
      number: "Please enter a number.",
      checkbox: "Please check this box.",
    },
  },
  cta: { title: "Before you continue", onward: "You are on your way to" },
  store: {
    title: "Get the app",
    text: "Get it from the App Store. Once it is installed, it opens what you tapped",
    button: "Get the app",
    web: "Continue in the browser",
  },
  inApp: {
    title: "Open in the app",
    text: "This opens best in the app.",
    button: "Open the app",
    byBrowser: {
      text: "Open this page in your browser to continue in the app.",
      button: "Open in your browser",
      otherwise: "If nothing happens, choose “Open in browser” in this app’s menu.",
      here: "Continue here",
    },
  },
  passing: { title: moment, text: "Redirecting you" },
  home: "Go to the home page",
  help: "Help",
  retry: "Try again",
  back: "Go back",
  owner: (host, name) => `${host} belongs to ${name}.`,
  shared: (host) => `Links on ${host} come from many different senders.`,
};
