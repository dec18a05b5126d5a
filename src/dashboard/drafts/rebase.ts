/**
 * Merges a form that was edited while it was being saved: later input is kept, everything else becomes what was
 * saved. Drafts are plain values: texts, switches, objects of fields, and lists of rows that keep an id while they
 * are edited.
 */
type Value = unknown;
type Fields = Readonly<Record<string, Value>>;

/**
 * Applies `draft` to what was `saved`: a field that differs from what was `sent` keeps its input. Rows keep their ids
 * from the draft, so that a field being edited keeps its focus. `rowId` names the field that holds a row's id.
 */
export function rebaseDraft<Draft extends object>(draft: Draft, sent: Draft, saved: Draft, rowId = "id"): Draft {
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

/**
 * Matches rows by position, because the service keeps the order in which they are sent. If it returns more or fewer
 * rows, they cannot be matched.
 */
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
