/**
 * Visits for the load generator. They rotate over links, user agents, languages and addresses, so that caches do not
 * see only one visitor.
 */
import UserAgent from "user-agents";

export interface Visit {
  path: string;
  /** Without `Host`, which the load generator adds. */
  headers: [name: string, value: string][];
}

/** Including `Host`, a script sends 5 headers, and a browser behind a proxy 17. */
export const VISITORS = ["with 5 headers", "with 17 headers"] as const;
export type Visitor = (typeof VISITORS)[number];

const LANGUAGES = ["en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8", "fr-FR,fr;q=0.9", "ja-JP", "pt-BR,pt;q=0.9,en;q=0.7"];

/** Returns a visit. Deterministic except for the random user agent. */
export function visitOf(path: string, index: number, visitor: Visitor): Visit {
  const [userAgent, language] = [new UserAgent().toString(), LANGUAGES[index % LANGUAGES.length] ?? "en"];
  const address = `${11 + ((index * 7) % 180)}.${(index * 13) % 256}.${(index * 31) % 256}.${1 + (index % 250)}`;
  if (visitor === "with 17 headers") return { path, headers: browserHeaders(userAgent, language, address) };
  const headers: Visit["headers"] = [
    ["User-Agent", userAgent],
    ["Accept-Language", language],
    ["Referer", "https://news.example.com/story"],
    ["X-Forwarded-For", address],
  ];
  return { path, headers };
}

/** Chrome's headers in the order in which it sends them, then the proxy's. */
const browserHeaders = (userAgent: string, language: string, address: string): Visit["headers"] => [
  ["Sec-Ch-Ua", '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"'],
  ["Sec-Ch-Ua-Mobile", "?0"],
  ["Sec-Ch-Ua-Platform", '"Windows"'],
  ["Upgrade-Insecure-Requests", "1"],
  ["User-Agent", userAgent],
  [
    "Accept",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  ],
  ["Sec-Fetch-Site", "cross-site"],
  ["Sec-Fetch-Mode", "navigate"],
  ["Sec-Fetch-User", "?1"],
  ["Sec-Fetch-Dest", "document"],
  [
    "Referer",
    `https://news.example.com/2026/05/a-story-of-some-length?${"utm_source=letter&utm_medium=email&".repeat(8)}`,
  ],
  ["Accept-Encoding", "gzip, deflate, br, zstd"],
  ["Accept-Language", language],
  ["X-Forwarded-For", address],
  ["X-Forwarded-Proto", "https"],
  ["X-Forwarded-Host", "go.example.com"],
];
