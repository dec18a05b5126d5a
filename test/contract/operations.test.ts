import { describe, expect, test } from "bun:test";
import { describeApp, operationsOf } from "@test/support/document/described";
import type { Access } from "@/http/document/types";

/** The verbs that a summary may begin with. */
const VERBS = [
  ...[
    "Add",
    "Ask",
    "Cancel",
    "Check",
    "Claim",
    "Complete",
    "Create",
    "Delete",
    "Disable",
    "Download",
    "Enable",
    "End",
    "Erase",
    "Exchange",
  ],
  ...["Export", "Finish", "Generate", "Get", "Import", "Invite", "List", "Preview", "Record", "Redeliver", "Register"],
  ...["Remove", "Request", "Rescan", "Resend", "Reset", "Resolve", "Review", "Revoke", "Rotate", "Save", "Send", "Set"],
  ...["Sign", "Start", "Stream", "Update", "Verify"],
];

const { document, routes } = await describeApp();
const operations = operationsOf(document);
const listed = routes.filter(({ isHidden }) => !isHidden);

test("the document contains every route that is not hidden, and nothing else", () => {
  const ofRoutes = listed.map(({ method, documentPath }) => `${method} ${documentPath}`);
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(ofRoutes.sort());
});

test("only pages, their files and the documentation itself are left out of the document", () => {
  const hidden = routes.filter(({ isHidden }) => isHidden).map(({ path }) => path);
  const pages = routes
    .filter(({ path }) => path === "/app" || path.startsWith("/app/") || FORMER_PAGES.includes(path))
    .map(({ path }) => path)
    .sort();
  const docs = ["", "/assets/:version/:name", "/grafana.json", "/guide", "/guide/:name", "/postman.json"];
  const documented = docs.map((path) => `/docs${path}`);
  const others = [
    "/",
    "/.well-known/waymark/cards/:linkId/:tag",
    "/.well-known/waymark/icons/:orgId",
    "/.well-known/waymark/icons/apps/:appId",
    "/.well-known/waymark/icons/domains/:domainId",
    "/.well-known/waymark/images/:form/:linkId/:tag",
    "/favicon.ico",
    "/openapi.json",
  ];
  expect(hidden.sort()).toEqual([...others, ...pages, ...documented].sort());
});

/** Paths in the links of mails that earlier versions sent. */
const FORMER_PAGES = ["/invite", "/reset-password"];

test("no two operations share an id", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toEqual([...new Set(ids)]);
});

describe.each(listed.map((route) => [`${route.method} ${route.documentPath}`, route] as const))("%s", (_, route) => {
  const operation = operations.find(({ method, path }) => method === route.method && path === route.documentPath);

  test("has an id, a summary and one described tag", () => {
    expect(operation?.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation?.summary).toMatch(/^[A-Z].+[^.]$/);
    expect(operation?.tags).toHaveLength(1);
    expect(document.tags.map(({ name }) => name)).toContain(operation?.tags?.[0] ?? "");
  });

  test("has a summary that begins with a verb, and a description", () => {
    const [verb = ""] = operation?.summary?.split(" ") ?? [];
    expect(VERBS).toContain(verb);
    expect(ownDescription(operation?.description ?? "").length).toBeGreaterThan(0);
  });

  test("requires the same credentials as its route", () => {
    expect(operation?.security).toEqual(securityOf(route.access));
  });

  test("lists the failures that follow from its access, and from the query and body that any request may have", () => {
    const expected = [
      ...(route.access.public ? [] : route.access.operator ? ["401"] : ["401", "429", "503"]),
      ...(route.access.user ? ["403"] : []),
      ...(route.access.member ? ["403", "404"] : []),
      ...(route.access.apiKey ? ["403"] : []),
      ...(route.method === "GET" ? [] : ["413", "415"]),
      ...["400", "500"],
    ];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(expected));
  });

  test("lists a response that is not a failure", () => {
    expect(Object.keys(operation?.responses ?? {}).some((status) => /^[23]/.test(status))).toBe(true);
  });

  test("describes every parameter in its path", () => {
    const inPath = (operation?.parameters ?? []).filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => name)).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name)));
    for (const parameter of inPath)
      expect(parameter).toMatchObject({ required: true, description: expect.any(String) });
  });
});

/** Returns the description without the paragraphs about access. */
const ownDescription = (text: string) =>
  text
    .split("\n\n")
    .filter((paragraph) => !/^(?:Requires (?:the role|a session;|an API key with)|For callers on)/.test(paragraph))
    .join();

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.public) return [];
  if (access.operator) return [{ operator: [] }];
  if (access.apiKey) return [{ apiKey: [] }];
  return [{ bearer: [] }, ...(access.scopes?.length ? [{ accessToken: [] }] : [])];
}
