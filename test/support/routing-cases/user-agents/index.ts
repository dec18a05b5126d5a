/** User agents as their browsers send them, and what is known from them. */
import type { Agent } from "./agent";
import { appliances } from "./appliances";
import { apps } from "./apps";
import { computers } from "./computers";
import { phones } from "./phones";

const all = { ...phones, ...computers, ...appliances, ...apps };

export type AgentName = keyof typeof all;
export const agents: Record<AgentName, Agent> = all;
