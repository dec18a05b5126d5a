import type { Words } from "../words";

export const en: Words = {
  dir: "ltr",
  fields: {
    name: "Your name",
    email: "Email address",
    password: "Password",
    newPassword: "New password",
    organization: "Name of your organization",
    code: "Code",
  },
  hints: {
    password: "8 to 128 characters",
    code: "Six digits from your authenticator app, or a recovery code",
  },
  faults: {
    required: "Please fill this in.",
    email: "Please enter an email address, like name@example.com.",
    emailTaken: "There is an account with this email address already.",
    passwordLength: "Please choose 8 to 128 characters.",
    passwordWeak: "This password is too easy to guess. Please choose another one.",
  },
  alerts: {
    check: "Please look at the marked fields.",
    tooMany: "There were too many tries. Please try again in a minute.",
    unavailable: "This does not work right now. Please try again shortly.",
    failed: "Something went wrong on our side. Please try again.",
    forbidden: "This is not open to you. Ask whoever runs this service.",
    foreign: "This form was sent from another page. Please fill it in here.",
  },
  home: {
    title: "You are signed in",
    text: "The dashboard is on its way. Until then, everything is done through the API.",
    signedInAs: "Signed in as",
    organizations: "Your organizations",
    signOut: "Sign out",
  },
  signIn: {
    title: "Sign in",
    button: "Sign in",
    forgotten: "Forgot your password?",
    register: "Create an account",
    wrong: "The email address or the password is wrong.",
  },
  code: {
    title: "Second step",
    text: "Your account asks for a code as well.",
    button: "Continue",
    wrong: "The code is wrong, was used already, or took too long.",
    again: "Start again",
  },
  register: {
    title: "Create an account",
    button: "Create account",
    signIn: "I have an account already",
  },
  forgot: {
    title: "Forgot your password?",
    text: "We will send you a link to set a new one.",
    button: "Send the link",
    sent: {
      title: "Look into your mailbox",
      text: "If there is an account with this address, a link is on its way. It works once, within an hour.",
    },
    noMail: "This service sends no mail. Ask whoever runs it to reset your password.",
  },
  reset: {
    title: "Set a new password",
    button: "Set password",
    over: "This link was used already, was replaced by a newer one, or is older than an hour.",
    again: "Send a new link",
  },
  verify: {
    title: "Confirm your email address",
    text: "Confirm only if you made this account yourself. Whoever made it keeps it.",
    button: "Confirm",
    notMe: "It was not me: take the address with a new password",
    done: { title: "Your address is confirmed", text: "You can go on." },
    over: {
      title: "This link is over",
      text: "It is older than a week, or its account is no more. Sign in to ask for a new one.",
    },
    ask: "Please confirm your email address: we sent you a link. Until then you cannot invite anybody.",
    again: "Send the link again",
    sent: { title: "Look into your mailbox", text: "A new link is on its way. It works for a week." },
  },
  invite: {
    title: "Invitation to",
    text: "You join with this email address:",
    register: "Create account and join",
    signIn: "Sign in and join",
    hasAccount: "I have an account already",
    hasNone: "I have no account yet",
    over: {
      title: "This invitation is over",
      text: "It was used already, was withdrawn, or has expired. Ask for a new one.",
    },
  },
  older: {
    title: "This link is from an older email",
    reset: "For your safety, links like this one no longer set a password. Ask for a new link; it works right away.",
    invite:
      "For your safety, links like this one no longer accept an invitation. Ask whoever invited you to send a new one.",
  },
  done: {
    signedOut: "You are signed out.",
    password: "Your new password is set. You can sign in with it now.",
  },
  sso: {
    again: "This sign-in is over. Please begin again.",
    email: "Your organization's provider does not vouch for an email address that may sign in.",
    provider: "Your organization's provider did not sign you in.",
    full: "Your organization has no room for another member.",
    failed: "Single sign-on went wrong on our side. Please try again.",
  },
  moment: { title: "One moment", text: "You are being taken there.", goOn: "Continue" },
  missing: { title: "Nothing here", text: "There is no such page.", home: "To the start" },
};
