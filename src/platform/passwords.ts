/**
 * Password hashes: argon2id, m=19456 KiB, t=2 (OWASP). Bun hashes off the main thread; at most two run at a time, so that
 * sign-ins cannot take the machine from redirects. A short queue waits behind them; past it the caller is told to retry.
 */
export class TooManyHashes extends Error {
  override name = "TooManyHashes";
}

const RUNNING_MAX = 2;
const WAITING_MAX = 64;
const OPTIONS = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

let running = 0;
const waiting: (() => void)[] = [];

export const hashPassword = (password: string): Promise<string> => inTurn(() => Bun.password.hash(password, OPTIONS));

export const verifyPassword = (password: string, hash: string): Promise<boolean> =>
  inTurn(() => Bun.password.verify(password, hash));

let decoy: Promise<string> | undefined;

/** Costs what a verification costs, for an account that does not exist. */
export async function verifyNoPassword(password: string): Promise<false> {
  decoy ??= hashPassword(crypto.randomUUID());
  await verifyPassword(password, await decoy);
  return false;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) throw new TooManyHashes("Too many password checks are waiting");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
