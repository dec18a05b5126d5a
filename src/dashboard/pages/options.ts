/** Names and texts of a choice as a select has them. */
export const optionsOf = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.entries(texts) as [Name, string][];
