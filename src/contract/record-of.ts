/**
 * Builds an object with a value for each name in a list, so a name added to the list cannot be forgotten in the
 * object.
 */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  const values: Partial<Record<Name, Value>> = {};
  for (const name of names) values[name] = make(name);
  return isWhole(values, names) ? values : raiseMissing();
}

const isWhole = <Name extends string, Value>(
  values: Partial<Record<Name, Value>>,
  names: readonly Name[],
): values is Record<Name, Value> => names.every((name) => name in values);

function raiseMissing(): never {
  throw new Error("A name was left out");
}
