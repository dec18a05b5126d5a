/**
 * Tells the server behind the lane which visitor each of its connections belongs to. It sees all of them come from
 * this machine. The port at the tunnel's near end identifies the visitor; no header does.
 */
import type { Server } from "bun";

export interface Tunnels {
  open(nearPort: number, visitor: string): void;
  close(nearPort: number): void;
  /**
   * Returns the same server, except that `requestIP` returns the visitor's address. It returns null for a connection
   * that came through no tunnel, or whose tunnel has closed.
   */
  behind<Server_ extends Server<undefined>>(server: Server_): Server_;
}

export function createTunnels(): Tunnels {
  const visitors = new Map<number, string>();
  return {
    open: (nearPort, visitor) => void visitors.set(nearPort, visitor),
    close: (nearPort) => void visitors.delete(nearPort),
    behind(server) {
      const requestIP = (request: Request) => {
        const peer = server.requestIP(request);
        const visitor = peer && visitors.get(peer.port);
        return peer && visitor !== undefined ? { ...peer, address: visitor } : null;
      };
      return new Proxy(server, {
        get(target, name) {
          if (name === "requestIP") return requestIP;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
}
