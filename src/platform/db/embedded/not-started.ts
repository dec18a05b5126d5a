import { SettingError } from "@/platform/setting-error";

/** Programs of Postgres write many lines; this is what the system says to them. */
const NO_ROOM = /: (No space left on device|Disk quota exceeded)/;

/** Returns the error of a program of Postgres that has failed with this output: that of the system if its disk is full. */
export function notStarted(what: string, output: string): Error {
  const [, fault] = NO_ROOM.exec(output) ?? [];
  if (fault === undefined) return new SettingError("DATA_DIR", `${what}:\n${output.trim()}`);
  return Object.assign(new Error(`${what}: ${fault}`), { code: "ENOSPC" });
}
