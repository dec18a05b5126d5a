import type { Replica } from "./replica";

/** What a service that only reads is: functions that answer. */
type Answers<Service> = { [Name in keyof Service]: (...asked: never[]) => Promise<unknown> };

/** One service from two, alike but for where they read: each call goes to that on the replica where it is up to date. */
export function eitherOf<Service extends Answers<Service>>(
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
