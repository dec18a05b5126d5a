import type { AccountWords } from "../words";

export const accountsEn: AccountWords = {
  dir: "ltr",
  fields: {
    name: "Your name",
    email: "Email address",
    password: "Password",
    newPassword: "New password",
    organization: "Organization name",
    code: "Code",
  },
  hints: {
    password: "8 to 128 characters",
    code: "Six digits from your authenticator app, or a recovery code",
  },
  faults: {
    required: "Please fill this in.",
    email: "Please enter an email address, like name@example.com.",
    emailTaken: "An account with this email address already exists.",
    passwordLength: "Please choose 8 to 128 characters.",
    passwordWeak: "This password is too easy to guess. Please choose another one.",
  },
  alerts: {
    check: "Please check the marked fields.",
    tooMany: (wait) => `Too many attempts. Please try again ${wait}.`,
    unavailable: "This is not available right now. Please try again shortly.",
    failed: "Something went wrong on our side. Please try again.",
    forbidden: "You do not have access. Ask the operator of this service.",
    foreign: "This form was sent from another page. Please fill it in here.",
  },
  home: {
    needsScript: "The dashboard needs JavaScript.",
    signedInAs: "Signed in as",
    signOut: "Sign out",
  },
  signIn: {
    title: "Sign in",
    button: "Sign in",
    sso: "Sign in with single sign-on",
    ssoOf: "Sign in through your organization",
    forgotten: "Forgot your password?",
    register: "Create an account",
    wrong: "The email address or the password is wrong.",
  },
  ssoStart: {
    title: "Single sign-on",
    organization: "Your organization's short name",
    hint: "It is part of your dashboard's address: …/app/o/short-name",
    button: "Continue",
    password: "Sign in with a password",
  },
  code: {
    title: "Second step",
    text: "Your account also requires a code.",
    button: "Continue",
    wrong: "The code is wrong, already used, or entered too late.",
    again: "Start again",
  },
  register: {
    title: "Create an account",
    button: "Create account",
    signIn: "I already have an account",
    refused:
      "You cannot create an account here yourself. Ask your organization for an invitation, or the operator of this service.",
  },
  forgot: {
    title: "Forgot your password?",
    text: "We will send you a link to set a new one.",
    button: "Send the link",
    sent: {
      title: "Check your mailbox",
      text: "If an account with this address exists, a link is on its way. It works once, within an hour.",
    },
    noMail: "This service does not send mail. Ask its operator to reset your password.",
  },
  reset: {
    title: "Set a new password",
    button: "Set password",
    over: "This link was already used, was replaced by a newer one, or is older than an hour.",
    again: "Send a new link",
  },
  verify: {
    title: "Confirm your email address",
    text: "Confirm only if you created this account yourself. Whoever created the account will keep it.",
    button: "Confirm",
    notMe: "It was not me: claim the address with a new password",
    done: { title: "Your address is confirmed", text: "You can continue." },
    over: {
      title: "This link has expired",
      text: "It is older than a week, or its account no longer exists. Sign in to request a new one.",
    },
    ask: "Please confirm your email address: we sent you a link. Until then, you cannot invite anyone.",
    again: "Send the link again",
    sent: { title: "Check your mailbox", text: "A new link is on its way. It works for a week." },
  },
  invite: {
    title: "Invitation to",
    text: "You are joining with this email address:",
    register: "Create account and join",
    signIn: "Sign in and join",
    hasAccount: "I already have an account",
    hasNone: "I do not have an account yet",
    over: {
      title: "This invitation is no longer valid",
      text: "It was already used, was withdrawn, or has expired. Ask for a new one.",
    },
  },
  older: {
    title: "This link comes from an older email",
    reset:
      "For your safety, links like this one can no longer set a password. Request a new link; it works right away.",
    invite:
      "For your safety, links like this one can no longer accept an invitation. Ask the person who invited you to send " +
      "a new one.",
  },
  done: {
    signedOut: "You are signed out.",
    password: "Your new password is set. You can now sign in with it.",
  },
  sso: {
    unknown: "This address does not lead to an organization that has single sign-on. Please check it.",
    again: "This sign-in has expired. Please start again.",
    email: "Your organization's sign-in provider did not confirm an email address that is allowed to sign in here.",
    unconfirmed:
      "An account with your email address is not confirmed yet. Confirm it with the link we sent to that address, or reset its password.",
    closed: "Accounts here are created by the operator of this service. Ask them for one.",
    provider: "Your organization's sign-in provider did not sign you in.",
    full: "Your organization cannot add another member.",
    tooMany: "Too many people are signing in from your network. Please try again in a minute.",
    failed: "Single sign-on failed on our side. Please try again.",
  },
  moment: { title: "One moment", text: "Redirecting you.", goOn: "Continue" },
  missing: { title: "Nothing here", text: "This page does not exist.", home: "Go to the start page" },
  unloaded: { text: "The dashboard has not loaded yet.", again: "Load the page again" },
};
