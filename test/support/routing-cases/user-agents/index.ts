/** Real user agents, with the facts that they contain. */
import type { Agent } from "./agent";
import { appliances } from "./appliances";
import { apps } from "./apps";
import { computers } from "./computers";
import { phones } from "./phones";

const all = { ...phones, ...computers, ...appliances, ...apps };

export type AgentName = keyof typeof all;
export const agents: Record<AgentName, Agent> = all;
