/** Scripts that requests of the collection run before and after in Postman's sandbox. They pass on ids and tokens. */

export type Script = string[];

export const set = (variable: string, expression: string): string =>
  `pm.collectionVariables.set(${JSON.stringify(variable)}, ${expression});`;

const get = (variable: string): string => `pm.collectionVariables.get(${JSON.stringify(variable)})`;

/** Saves a value of the JSON response, which the script calls `answer`, if it is present. */
export const save = (variable: string, expression: string): string =>
  `if (answer.${expression} !== undefined) ${set(variable, `answer.${expression}`)}`;

/** Gives each run its own account, slugs and hosts. */
export const NEW_RUN: Script = [
  "const run = Date.now().toString(36);",
  set("run", "run"),
  set("email", '"ada-" + run + "@example.com"'),
  set("password", '"a long passphrase " + run'),
];

export const judged = (name: string, statuses: number[]): Script => [
  `pm.test(${JSON.stringify(`${name} returns ${statuses.join(" or ")}`)}, function () {`,
  `  pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)});`,
  "});",
];

export const ANSWER: Script = [
  'const isJson = /json/.test(pm.response.headers.get("Content-Type") || "");',
  "const answer = isJson && pm.response.code < 300 ? pm.response.json() : {};",
];

/** Signs in with an additional request. `then` can use the response as `other`. */
export const signInFirst = (then: Script): Script => [
  "pm.sendRequest({",
  `  url: ${get("baseUrl")} + "/api/v1/auth/login",`,
  '  method: "POST",',
  '  header: { "Content-Type": "application/json" },',
  `  body: { mode: "raw", raw: JSON.stringify({ email: ${get("email")}, password: ${get("password")} }) },`,
  "}, function (error, response) {",
  "  const other = error ? {} : response.json();",
  ...then.map((line) => `  ${line}`),
  "});",
];

/** Creates a session other than the one the collection uses, so that ending it ends nothing else. */
export const OTHER_SESSION: Script = signInFirst([
  "pm.sendRequest({",
  `  url: ${get("baseUrl")} + "/api/v1/auth/sessions",`,
  `  header: { Authorization: "Bearer " + other.token },`,
  "}, function (error, response) {",
  "  const session = (error ? [] : response.json().sessions).find(function (one) { return one.current || one.isCurrent; });",
  `  if (session) ${set("sessionId", "session._id")}`,
  "});",
]);

/** Creates a link, so that the webhook has an event to deliver. */
export const EVENT_FIRST: Script = [
  "pm.sendRequest({",
  `  url: ${get("baseUrl")} + "/api/v1/organizations/" + ${get("orgId")} + "/links",`,
  '  method: "POST",',
  `  header: { "Content-Type": "application/json", Authorization: "Bearer " + ${get("bearerToken")} },`,
  '  body: { mode: "raw", raw: JSON.stringify({ defaultUrl: "https://shop.example.com/" }) },',
  "}, function () {});",
];

/** Computes the code that an authenticator app would show (RFC 6238). */
export const TOTP: Script = [
  'const crypto = require("crypto-js");',
  'const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";',
  `const bits = Array.from(${get("totpSecret")} || "", function (one) {`,
  '  return letters.indexOf(one).toString(2).padStart(5, "0");',
  '}).join("");',
  "const key = (bits.match(/.{8}/g) || []).map(function (byte) {",
  '  return parseInt(byte, 2).toString(16).padStart(2, "0");',
  '}).join("");',
  'const step = Math.floor(Date.now() / 30000).toString(16).padStart(16, "0");',
  "const mac = crypto.HmacSHA1(crypto.enc.Hex.parse(step), crypto.enc.Hex.parse(key)).toString();",
  "const offset = 2 * parseInt(mac.slice(-1), 16);",
  "const number = (parseInt(mac.slice(offset, offset + 8), 16) & 0x7fffffff) % 1000000;",
  set("code", 'String(number).padStart(6, "0")'),
];
