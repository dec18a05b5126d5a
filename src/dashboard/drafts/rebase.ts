/**
 * A form that is typed in while it is saved: what was typed since stays, all else becomes what was saved. Drafts are plain
 * values: texts, switches, objects of fields, and lists of rows that keep an id of their own while they are edited.
 */
type Value = unknown;
type Fields = Readonly<Record<string, Value>>;

/**
 * `draft` upon what was `saved`: a field that is no longer as it was `sent` keeps what was typed. Rows keep the ids that
 * they have in the draft, so that whoever types in one goes on doing so; `rowId` names the field that holds them.
 */
export function rebased<Draft extends object>(draft: Draft, sent: Draft, saved: Draft, rowId = "id"): Draft {
  return merged(draft, sent, saved, rowId) as Draft;
}

function merged(draft: Value, sent: Value, saved: Value, rowId: string): Value {
  if (isRows(draft, rowId) && isRows(sent, rowId) && isRows(saved, rowId)) return rowsOf(draft, sent, saved, rowId);
  if (isFields(draft) && isFields(sent) && isFields(saved)) {
    const names = Object.keys({ ...saved, ...draft });
    const fields = names.map((name) => [name, merged(draft[name], sent[name], saved[name], rowId)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  return isSame(draft, sent) ? saved : draft;
}

/** The service keeps rows in the order in which they are sent. Where it made more or fewer of them, none is known again. */
function rowsOf(draft: readonly Fields[], sent: readonly Fields[], saved: readonly Fields[], rowId: string): Value {
  if (sent.length !== saved.length) return isSame(draft, sent) ? saved : draft;
  const placeOf = new Map(sent.map((row, place) => [row[rowId], place]));
  return draft.map((row) => {
    const place = placeOf.get(row[rowId]);
    if (place === undefined) return row;
    return { ...Object(merged(row, sent[place], saved[place], rowId)), [rowId]: row[rowId] };
  });
}

const isFields = (value: Value): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isRows = (value: Value, rowId: string): value is readonly Fields[] =>
  Array.isArray(value) && value.every((row) => isFields(row) && rowId in row);

export const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);
