/** The addresses of the one database. They differ where a transaction pooler stands before it. */
export interface Addresses {
  /** Requests and background work. */
  databaseUrl: string;
  /** Listening, migrating and the click writer, which such a pooler does not let through. */
  directUrl: string;
}

/** Behind a pooler a statement prepared in one transaction may not be there in the next. */
export const canPrepare = ({ databaseUrl, directUrl }: Addresses): boolean => databaseUrl === directUrl;
