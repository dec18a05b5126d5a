/** The addresses of one database. They differ if there is a transaction pooler in front of it. */
export interface DatabaseUrls {
  /** For requests and background work. */
  databaseUrl: string;
  /** For listening, migrating and the click writer, which do not work through such a pooler. */
  directUrl: string;
}

/** False behind a pooler, where a statement prepared in one transaction may not exist in the next. */
export const canPrepare = ({ databaseUrl, directUrl }: DatabaseUrls): boolean => databaseUrl === directUrl;
