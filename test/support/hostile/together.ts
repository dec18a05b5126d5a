/**
 * Tests odd values in many fields with few requests. An error response lists all faults, so each field that it names
 * has been checked and refused. The other fields are sent again without those, in ever smaller groups, until each has
 * a result: named in a refusal, accepted with the others, or a response to itself only.
 */
import { fieldsOf } from "../failure";
import type { Reply } from "../service";
import type { Field, Place } from "./fields";

type Placed = Pick<Field, "name" | "place">;
type Answer = Pick<Reply, "status"> & { body: unknown };

export interface FieldReply<One, Reply> {
  field: One;
  reply: Reply;
  /** All fields that had odd values in this request. */
  sent: One[];
}

/** Returns one reply for each field. No request has a field within another odd field, which would hide it. */
export async function sendOddFields<One extends Placed, Reply extends Answer>(
  fields: One[],
  send: (fields: One[]) => Promise<Reply>,
): Promise<FieldReply<One, Reply>[]> {
  const told = await Promise.all(apart(fields).map((group) => answersOf(group, send)));
  return told.flat();
}

async function answersOf<One extends Placed, Reply extends Answer>(
  sent: One[],
  send: (fields: One[]) => Promise<Reply>,
): Promise<FieldReply<One, Reply>[]> {
  if (sent.length === 0) return [];
  const reply = await send(sent);
  const { status } = reply;
  const told = (fields: One[]) => fields.map((field) => ({ field, reply, sent }));
  if (sent.length === 1 || status >= 500 || (status >= 200 && status < 300)) return told(sent);
  const names = status === 400 ? fieldsOf(Object(reply.body)) : [];
  const [refused, silent] = divided(sent, ({ name }) => names.some((named) => isWithin(named, name)));
  if (refused.length > 0) return [...told(refused), ...(await answersOf(silent, send))];
  const middle = Math.ceil(sent.length / 2);
  const halves = [sent.slice(0, middle), sent.slice(middle)];
  return (await Promise.all(halves.map((half) => answersOf(half, send)))).flat();
}

const isWithin = (named: string, name: string) =>
  named === name || named.startsWith(`${name}.`) || named.startsWith(`${name}[`);

/** Splits the fields greedily into few groups in which no field contains another. */
function apart<One extends Placed>(fields: One[]): One[][] {
  const groups: One[][] = [];
  for (const field of fields) {
    const fit = groups.find((group) => !group.some((other) => isOnOnePath(other.place, field.place)));
    if (fit) fit.push(field);
    else groups.push([field]);
  }
  return groups;
}

const isOnOnePath = (one: Place, other: Place): boolean =>
  one.slice(0, other.length).every((step, index) => step === other[index]);

function divided<One>(all: One[], isFirst: (one: One) => boolean): [One[], One[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
