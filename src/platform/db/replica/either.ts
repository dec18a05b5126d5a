import type { Replica } from "./replica";

/** A service that only reads: every property is an async function. */
type Answers<Service> = { [Name in keyof Service]: (...asked: never[]) => Promise<unknown> };

/**
 * Makes one service of two that differ only in where they read: each call goes to `onReplica` if the replica is up to
 * date.
 */
export function preferReplica<Service extends Answers<Service>>(
  replica: Pick<Replica, "read">,
  onPrimary: Service,
  onReplica: Service,
): Service {
  const services = { primary: onPrimary, replica: onReplica };
  return new Proxy(onPrimary, {
    get:
      (_, name) =>
      (...asked: never[]) =>
        replica.read((place) => Reflect.get(services[place], name)(...asked)),
  });
}
