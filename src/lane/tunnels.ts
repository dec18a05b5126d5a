/**
 * Whose connections the server behind the lane is handed. It sees them come from this machine; the port at the tunnel's
 * near end tells which is whose, and no header does.
 */
import type { Server } from "bun";

export interface Tunnels {
  open(nearPort: number, visitor: string): void;
  close(nearPort: number): void;
  /** The same server, which names the visitor at the far end. Who came by no tunnel, or whose has ended, is nobody it knows. */
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
