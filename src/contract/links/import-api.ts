/** Imports from another service's API, with a key for it. */
import { type Static, Type } from "@sinclair/typebox";
import { destination, optional, shape, text, withExample } from "../schema";
import { ImportOptionsInput } from "./imports";

export const API_SOURCES = ["dub", "shlink", "bitly", "yourls", "kutt", "shortio", "rebrandly"] as const;
export type ApiSource = (typeof API_SOURCES)[number];

const KEY_LENGTH_MAX = 1_024;

export const ImportCredentials = shape(
  {
    apiKey: withExample("dub_M8f2kQ7nXw", {
      ...text(KEY_LENGTH_MAX, 1, "The API key or access token; YOURLS calls it the signature"),
      pattern: "^[\\x21-\\x7e]+$",
      error: `expected 1 to ${KEY_LENGTH_MAX} printable ASCII characters without spaces`,
    }),
    baseUrl: optional(
      withExample(
        "https://s.example.com",
        destination("Where your own server is: required for Shlink, YOURLS and Kutt. Otherwise the service's API"),
      ),
    ),
    workspace: optional(
      withExample("0d5f4a1b2c3d", {
        ...text(255, 1, "For Rebrandly: the id of the workspace, unless it is the default one"),
        pattern: "^[\\x21-\\x7e]+$",
        error: "expected 1 to 255 printable ASCII characters without spaces",
      }),
    ),
  },
  { $id: "ImportCredentials", additionalProperties: Type.Unknown(), namesKept: "all" },
);
export type ImportCredentials = Static<typeof ImportCredentials>;

export const ApiImportInput = shape(
  { options: ImportOptionsInput, credentials: ImportCredentials },
  {
    $id: "ApiImportInput",
    ...{ additionalProperties: Type.Unknown(), namesKept: "near" },
    // The host belongs to nobody, because examples get sent.
    examples: [
      {
        options: { source: "shlink", dryRun: true },
        credentials: { apiKey: "a1b2c3d4", baseUrl: "https://s.example.com" },
      },
    ],
  },
);
