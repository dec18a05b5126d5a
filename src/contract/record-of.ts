/** An object with a value for each name of a list; whoever adds a name to the list has added the value. */
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
