/** The fields that a change altered, each with its value before and after, as stored in audit entries. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Compares the fields of both records; an absent field counts as null. Dates are compared and returned as ISO 8601. */
export function changesOf(before: object, after: object): Changes {
  const [from, to] = [Object.entries(before), Object.entries(after)].map((entries) => new Map(entries.map(plain)));
  const fields = [...new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])];
  const changes = fields.map(
    (field) => [field, { from: from?.get(field) ?? null, to: to?.get(field) ?? null }] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => !isSame(change.from, change.to)));
}

const plain = ([field, value]: [string, unknown]): [string, unknown] => [
  field,
  value instanceof Date ? value.toISOString() : value,
];

/** Compares JSON values. The order of an object's keys does not matter, and undefined values count as absent. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ones, others] = [definedOf(one), definedOf(other)];
  return (
    ones.size === others.size && [...ones].every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  );
}

const definedOf = (object: object) => new Map(Object.entries(object).filter(([, value]) => value !== undefined));
